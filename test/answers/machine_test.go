package answers

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestMachines holds the decisions about machines against what KubeVirt's own mutator, admitters
// and renderer of node selectors answered.
func TestMachines(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../oracle/testdata/machines/*.jsonl")
	if err != nil || len(files) < 2 {
		t.Fatalf("want the answers of several releases, got %v (%v)", files, err)
	}
	for _, file := range files {
		tag := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		_, cases := readMachines(t, file)
		if len(cases) < 100 {
			t.Fatalf("%s: want at least 100 cases, got %d", file, len(cases))
		}
		by := map[string]int{}
		for _, c := range cases {
			diff, err := CompareMachine(tag, c)
			if err != nil {
				t.Fatal(err)
			}
			if diff != "" {
				t.Errorf("%s %s (-KubeVirt +goldenarch):\n%s", tag, c.Name, diff)
			}
			if fields, err := FalseStart(tag, c); err != nil || len(fields) > 0 {
				t.Errorf("%s %s: it is to start, and KubeVirt refuses %v (%v)", tag, c.Name, fields, err)
			}
			by[c.Answer.Architecture]++
			if len(c.Answer.NeverStarts) > 0 {
				by["never starts"]++
			}
		}
		for _, what := range []string{"amd64", "arm64", "s390x", "never starts"} {
			if by[what] == 0 {
				t.Errorf("%s: no case with %s", tag, what)
			}
		}
	}
}

func readMachines(t *testing.T, file string) (Header, []MachineCase) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	header, cases, err := ReadMachines(f)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return header, cases
}

// TestPreferences holds the decisions about a machine of each architecture with each preference that KubeVirt ships
// against what KubeVirt's own code answered.
func TestPreferences(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../oracle/testdata/preferences/*.jsonl")
	if err != nil || len(files) < 2 {
		t.Fatalf("want the answers of several releases, got %v (%v)", files, err)
	}
	const preferences, architectures = 54, 3
	for _, file := range files {
		tag := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		_, cases := readMachines(t, file)
		if len(cases) != preferences*architectures {
			t.Errorf("%s: want %d cases, got %d", tag, preferences*architectures, len(cases))
		}
		never := map[string]int{}
		for _, c := range cases {
			name, architecture, _ := strings.Cut(c.Name, "/")
			c.Request = WithPreference(name, architecture)
			diff, err := CompareMachine(tag, c)
			if err != nil {
				t.Fatal(err)
			}
			if diff != "" {
				t.Errorf("%s %s (-KubeVirt +goldenarch):\n%s", tag, c.Name, diff)
			}
			if fields, err := FalseStart(tag, c); err != nil || len(fields) > 0 {
				t.Errorf("%s %s: it is to start, and KubeVirt refuses %v (%v)", tag, c.Name, fields, err)
			}
			if len(c.Answer.Refused)+len(c.Answer.NeverStarts) > 0 {
				never[architecture]++
			}
		}
		want := map[string]int{"arm64": 24, "s390x": 21}
		if tag >= "v1.9" {
			want = map[string]int{"amd64": 6, "arm64": 27, "s390x": 24}
		}
		if diff := cmp.Diff(want, never); diff != "" {
			t.Errorf("%s: the preferences that make a machine which never starts (-want +got):\n%s", tag, diff)
		}
	}
}

// TestHeadersOfMachines: what a file says of itself is so, and the page names its commit and
// what its release carries.
func TestHeadersOfMachines(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../oracle/testdata/machines/*.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../docs/dev/upstream.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		tag := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		header, cases := readMachines(t, file)
		commit := header.Commits["kubevirt"]
		if header.Release != tag || commit.Ref != tag || len(commit.Commit) != 40 {
			t.Errorf("%s: the header names release %q and commit %+v", file, header.Release, commit)
		}
		if diff := cmp.Diff(HeaderOfMachines(commit, header.Seed, cases), header); diff != "" {
			t.Errorf("%s: the header differs (-cases +header):\n%s", file, diff)
		}
		if row := "| " + tag + " | " + commit.Commit[:8] + " | " + strconv.Itoa(len(cases)) + " |"; !strings.Contains(string(page), row) {
			t.Errorf("docs/dev/upstream.md lacks the row %q", row)
		}
	}
}
