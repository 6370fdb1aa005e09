package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// advisedFinding is what a test of advice reads of a finding.
type advisedFinding struct {
	ID       string `json:"id"`
	Severity string `json:"severity"`
	Object   struct {
		Name    string `json:"name"`
		Cluster string `json:"cluster"`
	} `json:"object"`
	Field    string `json:"field"`
	Template string `json:"template"`
	Run      string `json:"run"`
}

// same says what stays the same of a finding if nobody mends it.
func (f advisedFinding) same() string {
	return strings.Join([]string{f.ID, f.Object.Cluster, f.Object.Name, f.Field, f.Template}, " ")
}

// TestAdvisedCommandsOfTheGoldenCases: each command that a check of a golden case advises ends well, or with the error of another
// cluster. Then its findings are gone, and no warning or error is new.
func TestAdvisedCommandsOfTheGoldenCases(t *testing.T) {
	t.Parallel()
	dirs, err := filepath.Glob("testdata/*/*")
	if err != nil {
		t.Fatal(err)
	}
	advised := 0
	for _, dir := range dirs {
		path := filepath.Join(dir, "input.yaml")
		switch filepath.Base(filepath.Dir(dir)) {
		case "check":
		case "repository":
			path = filepath.Join(dir, "tree")
		default:
			continue
		}
		args := append([]string{"check", path, "-o", "json"}, strings.Fields(golden(t, dir, "args.txt"))...)
		before := findingsOf(t, copiedCase(t, dir), args)
		for _, command := range advisedBy(before) {
			advised++
			root := copiedCase(t, dir)
			words := strings.Fields(command)
			_, messages, status := runIn(t, root, words[1:]...)
			if status != statusOK && !slices.Contains(words, "--keep-going") {
				t.Errorf("%s: %q ends with %d:\n%s", dir, command, status, messages)
				continue
			}
			known := map[string]advisedFinding{}
			for _, f := range before {
				known[f.same()] = f
			}
			for _, f := range findingsOf(t, root, args) {
				switch had, ok := known[f.same()]; {
				case ok && had.Run == command:
					t.Errorf("%s: %s is still there after %q", dir, f.same(), command)
				case !ok && f.Severity != "info":
					t.Errorf("%s: %s %s is new after %q", dir, f.Severity, f.same(), command)
				}
			}
		}
	}
	if advised < 10 {
		t.Errorf("want at least 10 advised commands, got %d", advised)
	}
}

// copiedCase returns a repository with a case at its path.
func copiedCase(t *testing.T, dir string) string {
	t.Helper()
	root := t.TempDir()
	if err := os.CopyFS(filepath.Join(root, dir), os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	git(t, root, "", "init", "--quiet")
	return root
}

// findingsOf returns the findings of a check; none where it ends without a report.
func findingsOf(t *testing.T, root string, args []string) []advisedFinding {
	t.Helper()
	out, _, _ := runIn(t, root, args...)
	var shown struct {
		Findings []advisedFinding `json:"findings"`
	}
	if out == "" {
		return nil
	}
	if err := json.Unmarshal([]byte(out), &shown); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
	return shown.Findings
}

// advisedBy returns the commands that findings advise, each once.
func advisedBy(list []advisedFinding) []string {
	var out []string
	for _, f := range list {
		if strings.HasPrefix(f.Run, "goldenarch ") && !slices.Contains(out, f.Run) {
			out = append(out, f.Run)
		}
	}
	return out
}
