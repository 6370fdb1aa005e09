package cli

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// checkedRepository runs the verb in a copy of a tree, as a user does at its root.
func checkedRepository(t *testing.T, dir string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	root := t.TempDir()
	copyTree(t, dir, root)
	cmd := goldenarch(t, slices.Concat([]string{"check", "."}, args)...)
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = root, &out, &errs
	_ = cmd.Run() // the status says it
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// TestCheckRepository runs "check ." at the root of the trees of testdata/repository,
// in the formats of formats.txt. The status is that of the worst cluster.
func TestCheckRepository(t *testing.T) {
	t.Parallel()
	dirs, err := filepath.Glob("testdata/repository/*")
	if err != nil || len(dirs) < 10 {
		t.Fatalf("want at least 10 directories, got %d (%v)", len(dirs), err)
	}
	for _, dir := range dirs {
		for format := range strings.FieldsSeq(golden(t, dir, "formats.txt")) {
			t.Run(filepath.Base(dir)+"/"+format, func(t *testing.T) {
				t.Parallel()
				args := append(strings.Fields(golden(t, dir, "args.txt")), "-o", format)
				out, errs, status := checkedRepository(t, dir, args...)
				if status != statusOK && status != statusFailed {
					t.Fatalf("status %d\n%s", status, errs)
				}
				hold(t, dir, extensions[format], out)
				wellFormed(t, format, out)
				if format != "text" {
					return
				}
				if failed := strings.Contains("\n"+out, "\nerror GA"); failed != (status == statusFailed) {
					t.Errorf("an error: %v, but the status is %d", failed, status)
				}
				if again, _, _ := checkedRepository(t, dir, args...); again != out {
					t.Errorf("the same input gives the same bytes:\n%s\n%s", out, again)
				}
			})
		}
	}
}

// TestClustersAreCheckedAlone: what check says of a cluster in its repository is what it
// says of the cluster alone.
func TestClustersAreCheckedAlone(t *testing.T) {
	t.Parallel()
	const dir = "testdata/repository/overlays-and-what-they-state"
	type report struct {
		Images []struct {
			Object struct {
				Cluster string `json:"cluster"`
			} `json:"object"`
			Templates []json.RawMessage `json:"templates"`
		} `json:"images"`
	}
	read := func(args ...string) report {
		t.Helper()
		out, errs, _ := checkedRepository(t, dir, append(args, "--offline", "--set", "predefined=none", "-o", "json")...)
		var r report
		if err := json.Unmarshal([]byte(out), &r); err != nil {
			t.Fatalf("%v\n%s%s", err, out, errs)
		}
		return r
	}
	whole := read()
	if len(whole.Images) != 4 {
		t.Fatalf("want 4 clusters, got %d", len(whole.Images))
	}
	for _, one := range whole.Images {
		root := t.TempDir()
		copyTree(t, dir, root)
		cmd := goldenarch(t, "check", one.Object.Cluster, "--fleet", "goldenarch.yaml", "--offline", "--set", "predefined=none", "-o", "json")
		cmd.Dir = root
		out, _ := cmd.Output()
		var alone report
		if err := json.Unmarshal(out, &alone); err != nil || len(alone.Images) != 1 {
			t.Fatalf("%s: %v\n%s", one.Object.Cluster, err, out)
		}
		if got, want := string(bytes.Join(raw(alone.Images[0].Templates), nil)), string(bytes.Join(raw(one.Templates), nil)); got != want {
			t.Errorf("%s: in the repository:\n%s\nalone:\n%s", one.Object.Cluster, want, got)
		}
	}
}

func raw(list []json.RawMessage) [][]byte {
	out := make([][]byte, len(list))
	for i, one := range list {
		out[i] = one
	}
	return out
}

// TestFlagsOfOneCluster: what describes one cluster is misuse for several.
func TestFlagsOfOneCluster(t *testing.T) {
	t.Parallel()
	for _, flag := range []string{"--live", "--nodes"} {
		_, errs, status := checkedRepository(t, "testdata/repository/overlays-and-what-they-state", flag, "config/prod.yaml")
		if status != statusMisuse || !strings.Contains(errs, flag+" describes one cluster, and the directory has 4") {
			t.Errorf("%s: status %d\n%s", flag, status, errs)
		}
	}
	if _, errs, status := checkedRepository(t, "testdata/repository/overlays-and-what-they-state", "base", "--fleet",
		"goldenarch.yaml"); status != statusMisuse || !strings.Contains(errs, "--fleet is for one directory") {
		t.Errorf("two paths: status %d\n%s", status, errs)
	}
}
