package cli

import (
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// conf writes a registries.conf that sends quay.io to the registry of the tree,
// which speaks plain HTTP.
func (l *lockedTree) conf(insecure, blocked string) string {
	l.t.Helper()
	file := filepath.Join(l.t.TempDir(), "registries.conf")
	text := "[[registry]]\nlocation = \"quay.io\"\nblocked = " + blocked + "\n[[registry.mirror]]\nlocation = \"" +
		l.registry.Host() + "\"\ninsecure = " + insecure + "\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		l.t.Fatal(err)
	}
	return file
}

// pulledByNodes returns a CR whose images nodes pull, which follow mirror sets.
func pulledByNodes(cr string) string {
	return strings.ReplaceAll(cr, "registry: {url", "registry: {pullMethod: node, url")
}

func TestRegistriesConf(t *testing.T) {
	t.Parallel()
	l := newLockedTree(t)
	conf := l.conf("true", "true")
	status, out, errs := runFed(t, "", "resolve", "quay.io/x/fedora:1", "-o", "json", "--registries-conf", conf)
	if status != 0 || !strings.Contains(out, `"reference": "quay.io/x/fedora:1"`) || !strings.Contains(out, `"mirror": "`+l.ref("x/fedora:1")+`"`) {
		t.Errorf("the mirror answers under the image's own name: %d %s %s", status, out, errs)
	}
	status, _, errs = runFed(t, "", "resolve", "quay.io/x/gone:1", "--registries-conf", conf)
	if status != 1 || !strings.Contains(errs, "mirror "+l.ref("x/gone")) || !strings.Contains(errs, "the source quay.io/x/gone: goldenarch does not query it") {
		t.Errorf("all places are named: %d %s", status, errs)
	}
	l.write("quay/hco.yaml", strings.ReplaceAll(l.cr("x/fedora:1"), l.registry.Host(), "quay.io"))
	if status, _, errs = runFed(t, "", "lock", l.path("quay"), "--registries-conf", conf); status != 0 {
		t.Fatalf("lock: %d %s", status, errs)
	}
	locked := l.read("quay/golden-images.lock.yaml")
	if !strings.Contains(locked, "- reference: quay.io/x/fedora:1\n") || !strings.Contains(locked, "mirror: "+l.ref("x/fedora:1")) {
		t.Errorf("the lock keeps the reference and the mirror:\n%s", locked)
	}
	status, out, errs = runFed(t, "", "render", l.path("quay"), "--workload-architectures", "amd64,arm64",
		"--control-plane-architectures", "amd64", "--registries-conf", filepath.Join(l.dir, "none.conf"), "--offline")
	if status != 0 || !strings.Contains(out, "amd64,arm64") {
		t.Errorf("where nobody is asked, the file is not read: %d %s %s", status, out, errs)
	}
	l.write("quay/hco.yaml", strings.ReplaceAll(l.cr("x/gone:1"), l.registry.Host(), "quay.io"))
	_, _, errs = runFed(t, "", "render", l.path("quay"), "--workload-architectures", "amd64", "--registries-conf", conf, "--offline")
	if want := " --only quay.io/x/gone:1 --registries-conf " + conf; !strings.Contains(errs, want) {
		t.Errorf("the advised command does not reach the mirror: want %q, got %s", want, errs)
	}
}

func TestRegistriesConfIsOverTheItems(t *testing.T) {
	t.Parallel()
	l := newLockedTree(t)
	l.write("all/hco.yaml", pulledByNodes(strings.ReplaceAll(l.cr("x/fedora:1"), l.registry.Host(), "quay.io")))
	l.write("all/itms.yaml",
		`apiVersion: config.openshift.io/v1
kind: ImageTagMirrorSet
metadata: {name: m}
spec: {imageTagMirrors: [{source: quay.io, mirrors: [mirror.invalid], mirrorSourcePolicy: NeverContactSource}]}
`)
	args := []string{"render", l.path("all"), "--workload-architectures", "amd64,arm64", "--control-plane-architectures", "amd64", "--set", "registryRetries=0"}
	status, _, errs := runFed(t, "", args...)
	if status != 1 || !strings.Contains(errs, "mirror mirror.invalid/x/fedora") || !strings.Contains(errs, "does not query it") {
		t.Errorf("the mirror set counts by itself: %d %s", status, errs)
	}
	status, out, errs := runFed(t, "", append(args, "--registries-conf", l.conf("true", "true"))...)
	if status != 0 || !strings.Contains(out, "amd64,arm64") {
		t.Errorf("the file says how this machine reaches quay.io: %d %s %s", status, out, errs)
	}
}

// TestAdvisedLockReadsTheMirrors: the command that adds an image to the lock reads what the run reads: a
// mirror set is an object like others, and without it the image is at another host.
func TestAdvisedLockReadsTheMirrors(t *testing.T) {
	t.Parallel()
	const gone = "quay.invalid"
	for _, tc := range []struct {
		reason string
		args   []string
	}{
		{"a directory", []string{"render", "DIR/all"}},
		{"several files", []string{"render", "DIR/all/hco.yaml", "DIR/all/itms.yaml"}},
		{"a directory with one cluster", []string{"check", "DIR"}},
		{"a repository", []string{"check", "DIR"}},
		{"a CR in a file of values", []string{"render", "--cr-path", "DIR/values.yaml#hco", "DIR/all/itms.yaml"}},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			l := newLockedTree(t)
			l.write("hco.yaml", "")
			cr := pulledByNodes(strings.ReplaceAll(l.cr("x/fedora:1"), l.registry.Host(), gone))
			l.write("all/hco.yaml", cr)
			l.write("all/itms.yaml", "apiVersion: config.openshift.io/v1\nkind: ImageTagMirrorSet\nmetadata: {name: m}\n"+
				"spec: {imageTagMirrors: [{source: "+gone+", mirrors: ["+l.registry.Host()+"], mirrorSourcePolicy: NeverContactSource}]}\n")
			if strings.Contains(tc.reason, "values") {
				l.write("values.yaml", "hco:\n  "+strings.ReplaceAll(strings.TrimSpace(cr), "\n", "\n  ")+"\n")
			}
			if tc.reason == "a repository" {
				l.write("other/hco.yaml", cr)
				l.write("other/itms.yaml", l.read("all/itms.yaml"))
			}
			run := func(args ...string) (int, string) {
				for i := range args {
					args[i] = strings.ReplaceAll(args[i], "DIR", l.dir)
				}
				status, out, errs := runFed(t, "", args...)
				return status, out + errs
			}
			args := append(slices.Clone(tc.args), "--workload-architectures", "amd64", "--control-plane-architectures", "amd64", "--offline",
				"--set", "registryInsecure="+l.registry.Host())
			_, shown := run(args...)
			_, command, ok := strings.Cut(shown, "un: goldenarch ")
			if !ok {
				t.Fatalf("%s: no command in %s", tc.reason, shown)
			}
			command, _, _ = strings.Cut(command, "\n")
			if status, shown := run(strings.Fields(strings.ReplaceAll(command, "'", ""))...); status != statusOK {
				t.Fatalf("%s: %s: %d %s", tc.reason, command, status, shown)
			}
			if status, shown := run(args...); strings.Contains(shown, "GA601") || strings.Contains(shown, "GA201") {
				t.Errorf("%s: after %s: %d %s", tc.reason, command, status, shown)
			}
		})
	}
}

// TestAdvisedLockOfClusters: what several clusters lack is one finding, whose command is for all of them.
func TestAdvisedLockOfClusters(t *testing.T) {
	t.Parallel()
	l := newLockedTree(t)
	l.write("base/hco.yaml", l.read("hco.yaml"))
	l.write("hco.yaml", "")
	l.write("base/kustomization.yaml", "resources: [hco.yaml]\n")
	l.write("a/kustomization.yaml", "resources: [../base]\n")
	l.write("b/kustomization.yaml", "resources: [../base]\n")
	for _, verb := range []string{"check", "fix"} {
		_, out, errs := l.run(nil, verb, "DIR", "--workload-architectures", "amd64", "--control-plane-architectures", "amd64", "--offline")
		if command := "or run: goldenarch lock " + l.dir + " --only " + l.ref("x/fedora:1"); strings.Count(out+errs, command) != 1 {
			t.Errorf("%s: want %q once, got %s", verb, command, out+errs)
		}
	}
}

// A file that the package brings along makes no host insecure for credentials,
// and the flag's file neither.
func TestRegistriesConfSendsNoCredentialsToInsecureHosts(t *testing.T) {
	t.Parallel()
	l := newLockedTree(t, registrytest.Basic(registrytest.Users{"u": "planted-pw"}))
	auth := filepath.Join(t.TempDir(), "auth.json")
	filetest.File(t, auth, `{"auths":{"`+l.registry.Host()+`":{"auth":"dTpwbGFudGVkLXB3"}}}`)
	args := []string{"resolve", "quay.io/x/fedora:1", "--authfile", auth, "--registries-conf", l.conf("true", "true")}
	status, _, errs := runFed(t, "", args...)
	if status != 1 || len(l.registry.Credentials()) > 0 || strings.Contains(errs, "planted-pw") {
		t.Errorf("an insecure mirror gets no login: %d %v %s", status, l.registry.Credentials(), errs)
	}
	if status, _, errs = runFed(t, "", append(args, "--allow-insecure-credentials")...); status != 0 || len(l.registry.Credentials()) != 1 {
		t.Errorf("the flag allows it: %d %v %s", status, l.registry.Credentials(), errs)
	}
}

func TestRegistriesConfThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	l := newLockedTree(t, registrytest.Reply(http.StatusTeapot, nil))
	broken := filepath.Join(t.TempDir(), "broken.conf")
	filetest.File(t, broken, "[[registry")
	for _, file := range []string{broken, filepath.Join(l.dir, "none.conf"), l.dir} {
		for _, args := range [][]string{
			{"resolve", l.ref("x/fedora:1")},
			{"lock", l.path("hco.yaml")},
			{"render", l.path("hco.yaml"), "--workload-architectures", "amd64", "--control-plane-architectures", "amd64"},
		} {
			status, out, errs := runFed(t, "", append(args, "--registries-conf", file)...)
			if status != 1 || out != "" || !strings.Contains(errs, file) {
				t.Errorf("%s with %s: want an error that names the file, got %d %q %s", args[0], file, status, out, errs)
			}
		}
	}
	if l.registry.Counts().Total() > 0 {
		t.Errorf("nobody is asked, got %+v", l.registry.Counts())
	}
}
