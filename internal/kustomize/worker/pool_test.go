package worker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/goldenarch/goldenarch/internal/kustomize"
)

// builds fails the test unless a pool builds a small kustomization.
func builds(t *testing.T, p *Pool) {
	t.Helper()
	result, err := p.Build(t.Context(), of(small(t)))
	if err != nil || len(result.Objects) != 1 || !strings.Contains(string(result.Objects[0].Text), "name: m0") {
		t.Errorf("want one object, got %d and %v", len(result.Objects), err)
	}
}

// TestBuild: many builds at once use few workers, and each gets its own result.
func TestBuild(t *testing.T) {
	t.Parallel()
	p := pool(t)
	p.MaxProcesses = 3
	var all sync.WaitGroup
	for i := range 30 {
		dir := written(t, map[string]string{"kustomization.yaml": "resources: [m.yaml]\n", "m.yaml": fmt.Sprintf(object, i)})
		all.Go(func() {
			result, err := p.Build(t.Context(), of(dir))
			if err != nil || len(result.Objects) != 1 || !strings.Contains(string(result.Objects[0].Text), fmt.Sprintf("name: m%d\n", i)) {
				t.Errorf("%s: %v, %v", dir, result.Objects, err)
			}
		})
	}
	all.Wait()
	if len(p.idle) == 0 || len(p.idle) > 3 {
		t.Errorf("want up to 3 workers, got %d", len(p.idle))
	}
}

// TestErrorsOfBuilds: the error of a build is the one that it has in one process, and its
// worker goes on.
func TestErrorsOfBuilds(t *testing.T) {
	t.Parallel()
	p := pool(t)
	dir := written(t, map[string]string{"kustomization.yaml": "resources: [none.yaml]\n"})
	_, err := p.Build(t.Context(), of(dir))
	if failure, ok := errors.AsType[*kustomize.Failure](err); !ok || !strings.HasPrefix(failure.Text, "build "+dir+": ") ||
		!strings.Contains(failure.Text, "none.yaml") {
		t.Errorf("want an error that names the file, got %v", err)
	}
	before := p.idle[0]
	builds(t, p)
	if len(p.idle) != 1 || p.idle[0] != before {
		t.Error("the worker was not used again")
	}
}

// ended fails the test unless a build ends with an error that names the directory, and
// another build of the pool goes on.
func ended(t *testing.T, p *Pool, dir string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) || !strings.HasPrefix(err.Error(), "build "+dir+": ") {
		t.Errorf("want %q about %s, got %v", want, dir, err)
	}
	builds(t, p)
	if len(p.idle) != 1 {
		t.Errorf("want one worker, got %d", len(p.idle))
	}
}

func TestDeadlineOfABuild(t *testing.T) {
	t.Parallel()
	p := pool(t)
	builds(t, p)
	p.Deadline = 50 * time.Millisecond
	dir := slow(t)
	_, err := p.Build(t.Context(), of(dir))
	p.Deadline = 0
	ended(t, p, dir, err, errTime)
}

func TestStoppedBuild(t *testing.T) {
	t.Parallel()
	p := pool(t)
	builds(t, p)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	dir := slow(t)
	_, err := p.Build(ctx, of(dir))
	ended(t, p, dir, err, context.DeadlineExceeded)
}

func TestKilledWorker(t *testing.T) {
	t.Parallel()
	p := pool(t)
	builds(t, p)
	w := p.idle[0]
	dir := slow(t)
	done := make(chan error)
	go func() {
		_, err := p.Build(t.Context(), of(dir))
		done <- err
	}()
	for taken := false; !taken; time.Sleep(time.Millisecond) { // until it builds
		p.mu.Lock()
		taken = len(p.idle) == 0
		p.mu.Unlock()
	}
	_ = w.cmd.Process.Kill()
	err := <-done
	if !strings.Contains(fmt.Sprint(err), "killed") {
		t.Errorf("want the reason, got %v", err)
	}
	ended(t, p, dir, err, errEnded)
}

// TestKilledWhileIdle: a worker that has ended meanwhile harms no build.
func TestKilledWhileIdle(t *testing.T) {
	t.Parallel()
	p := pool(t)
	builds(t, p)
	_ = p.idle[0].cmd.Process.Kill()
	<-p.idle[0].ended
	builds(t, p)
}

// TestMemoryOfOneBuild: of several builds at once, the one that takes too much memory
// fails, and the others do not.
func TestMemoryOfOneBuild(t *testing.T) {
	t.Parallel()
	p := pool(t)
	p.MaxProcesses = 3
	// The vars put less into each file than they may, and too much into all of them.
	files := map[string]string{"m.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata: {a: " + strings.Repeat("x", 100_000) + "}\n"}
	resources := "resources:\n- m.yaml\n"
	for i := range 30 {
		name := fmt.Sprintf("m%d.yaml", i)
		resources += "- " + name + "\n"
		files[name] = fmt.Sprintf("apiVersion: v1\nkind: Pod\nmetadata: {name: m%d}\nspec: {containers: [{name: a, command: [%s]}]}\n",
			i, strings.Repeat("$(A)", 150))
	}
	files["kustomization.yaml"] = resources + "vars:\n- name: A\n  objref: {apiVersion: v1, kind: ConfigMap, name: m}\n  fieldref: {fieldpath: data.a}\n"
	large := written(t, files)
	var all sync.WaitGroup
	all.Go(func() {
		if _, err := p.Build(t.Context(), of(large)); !errors.Is(err, kustomize.ErrMemory) || !strings.HasPrefix(err.Error(), "build "+large+": ") {
			t.Errorf("want %v, got %v", kustomize.ErrMemory, err)
		}
	})
	for range 10 {
		all.Go(func() { builds(t, p) })
	}
	all.Wait()
}

// TestCannotStart: without a worker nothing is built, and the error says so.
func TestCannotStart(t *testing.T) {
	t.Parallel()
	dir := small(t)
	for reason, tc := range map[string]struct {
		program string
		want    error
	}{
		"there is no such program":        {filepath.Join(dir, "none"), ErrStart},
		"it is no program":                {filepath.Join(dir, "m.yaml"), ErrStart},
		"the program ends at once":        {"/bin/false", errEnded},
		"the program says something else": {"/bin/echo", nil},
		"the program repeats the request": {"/bin/cat", nil},
	} {
		p := &Pool{Program: tc.program}
		result, err := p.Build(t.Context(), of(dir))
		if err == nil || result.Objects != nil || tc.want != nil && !errors.Is(err, tc.want) || !strings.HasPrefix(err.Error(), "build "+dir+": ") {
			t.Errorf("%s: want %v, got %d objects and %v", reason, tc.want, len(result.Objects), err)
		}
		p.Close()
	}
}

// TestEndsWithStandardInput: a worker whose parent has ended does so too, even while it
// builds.
func TestEndsWithStandardInput(t *testing.T) {
	t.Parallel()
	for _, request := range []kustomize.Request{{}, of(slow(t))} {
		w, err := start(program(t, "goldenarch"), directories{}, 0)
		if err != nil {
			t.Fatal(err)
		}
		if request.Dir != "" {
			if err := write(w.in, request); err != nil {
				t.Fatal(err)
			}
		}
		_ = w.in.Close()
		<-w.ended
		if !w.cmd.ProcessState.Success() {
			t.Errorf("%q: %s", request.Dir, w.cmd.ProcessState)
		}
		w.end()
	}
}

// TestPlaces: a worker builds for one Git repository and one working directory. Idle ones wait for two of them.
func TestPlaces(t *testing.T) {
	p := pool(t)
	p.MaxProcesses = 1
	for turn, files := range []map[string]string{{".git/HEAD": ""}, {".git": "gitdir: elsewhere"}, {"none": ""}} {
		files["in/kustomization.yaml"], files["in/m.yaml"] = "resources: [m.yaml]\n", fmt.Sprintf(object, 0)
		dir := written(t, files)
		t.Chdir(dir)
		if _, err := p.Build(t.Context(), of("in")); err != nil {
			t.Error(err)
		}
		want := directories{working: dir, root: dir}
		if files["none"] == "" && len(files[".git"])+len(files[".git/HEAD"]) == 0 {
			if _, err := os.Lstat(filepath.Join(dir, ".git")); err != nil {
				want.root = ""
			}
		}
		if last := p.idle[len(p.idle)-1]; len(p.idle) != min(turn+1, places) || last.directories != want {
			t.Errorf("want a worker for %v, got %v of %d", want, last.directories, len(p.idle))
		}
	}
}

// TestOutsideOfTheRepository: in a Git repository a build reads no file outside of it.
func TestOutsideOfTheRepository(t *testing.T) {
	t.Parallel()
	p := pool(t)
	files := map[string]string{
		"repo/top/kustomization.yaml": "resources: [../../base]\n", "base/kustomization.yaml": "resources: [m.yaml]\n", "base/m.yaml": fmt.Sprintf(object, 0),
	}
	if _, err := p.Build(t.Context(), of(filepath.Join(written(t, files), "repo", "top"))); err != nil {
		t.Errorf("without Git a base may be anywhere, got %v", err)
	}
	files["repo/.git/HEAD"] = ""
	dir := written(t, files)
	_, err := p.Build(t.Context(), of(filepath.Join(dir, "repo", "top")))
	if err == nil || !strings.Contains(err.Error(), "files of its Git repository only") || !strings.Contains(err.Error(), filepath.Join(dir, "repo")) {
		t.Errorf("want an error that names the root, got %v", err)
	}
}

// TestAnswersAreBounded: what a worker sends is no larger than the memory that it may use.
func TestAnswersAreBounded(t *testing.T) {
	t.Parallel()
	for _, length := range []string{"\x00\x00\x00\x00\x00\x00\x00\x0b", "\xff\xff\xff\xff\xff\xff\xff\xff"} {
		if _, err := receive(strings.NewReader(length+strings.Repeat("x", 100)), 10); !errors.Is(err, errLarge) {
			t.Errorf("want %v, got %v", errLarge, err)
		}
	}
}
