package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestKustomizationsOpenNoSocket builds kustomizations that name something remote
// where the kernel kills what opens a socket, and in a network namespace without an
// interface: each ends with an error of goldenarch's own. See
// TestRequireOpensNoSocket for the fences.
func TestKustomizationsOpenNoSocket(t *testing.T) {
	t.Parallel()
	const (
		url   = "http://127.0.0.1:9/x"
		patch = "{apiVersion: builtin, kind: PatchTransformer, metadata: {name: p}, target: {kind: ConfigMap}, path: '" + url + "'}"
	)
	permitted := 0
	for name, text := range map[string]string{
		"KeyWithBlank":    "configMapGenerator: [{name: m, files: ['a b=" + url + "']}]",
		"KeyWithBrace":    "secretGenerator: [{name: m, files: ['{=" + url + "']}]",
		"KeyWithLine":     `configMapGenerator: [{name: m, files: ["a\nb=` + url + `"]}]`,
		"InlineGenerator": "generators: ['{apiVersion: builtin, kind: ConfigMapGenerator, metadata: {name: m}, files: [\"a b=" + url + "\"]}']",
		"List":            "resources: [m.yaml]\ntransformers: [list.yaml]",
		"Escaped":         "resources: [m.yaml]\ntransformers: [escaped.yaml]",
		"Resource":        "resources: ['" + url + "']",
		"Git":             "resources: ['git@127.0.0.1:org/repo']",
		"Component":       "components: ['https://127.0.0.1:9/org/repo']",
		"Helm":            "helmCharts: [{name: c, repo: '" + url + "'}]",
		"OpenAPI":         "resources: [m.yaml]\nopenapi: {path: '" + url + "'}",
		"CRD":             "resources: [m.yaml]\ncrds: ['" + url + "']",
		"Validator":       "resources: [m.yaml]\nvalidators: ['" + url + "']",
	} {
		dir := t.TempDir()
		for file, text := range map[string]string{
			"kustomization.yaml": text, "m.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\n",
			"list.yaml": "apiVersion: v1\nkind: List\nitems: [" + patch + "]\n", "escaped.yaml": strings.Replace(patch, "builtin", `"\x62uiltin"`, 1) + "\n",
		} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for fence, within := range map[string]func(*exec.Cmd){
			"NoSockets": func(child *exec.Cmd) { child.Env = append(child.Env, noSockets+"=1") },
			"NoInterfaces": func(child *exec.Cmd) {
				child.SysProcAttr = &syscall.SysProcAttr{
					Cloneflags:  syscall.CLONE_NEWNET | syscall.CLONE_NEWUSER,
					UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
					GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
				}
			},
		} {
			child := goldenarch(t, "render", "--offline", dir)
			var out, errs bytes.Buffer
			child.Stdout, child.Stderr = &out, &errs
			within(child)
			err := child.Run()
			if child.ProcessState == nil || child.ProcessState.ExitCode() == notPermitted {
				t.Logf("%s is not permitted here: %v", fence, err)
				continue
			}
			permitted++
			if status := child.ProcessState.ExitCode(); status != statusFailed || out.Len() > 0 || strings.Contains(errs.String(), "dial") {
				t.Errorf("%s, %s: want an error before any connection, got %v\n%s", name, fence, err, errs.String())
			}
		}
	}
	if permitted == 0 {
		t.Error("this system permits neither seccomp filters nor network namespaces: run the test where it does")
	}
}
