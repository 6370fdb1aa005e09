//go:build unix

package hostile

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
)

const (
	hco = `apiVersion: hco.kubevirt.io/v1beta1
kind: HyperConverged
metadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged}
spec: {}
`
	bombHead = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\n"
	itself   = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata: &a {b: *a}\n"
)

// bomb is nearly a thousand million values in 9 lines.
func bomb() string {
	var out strings.Builder
	out.WriteString("a0: &a0 [1, 2, 3, 4, 5, 6, 7, 8, 9]\n")
	for i := 1; i < 9; i++ {
		fmt.Fprintf(&out, "a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 9), ", "))
	}
	return out.String()
}

func indented(text string) string {
	return "\n- |\n  " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n  ") + "\n"
}

// special is what stands in the place of a file.
type special func(t *testing.T, path string)

func pipe(t *testing.T, path string) {
	t.Helper()
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
}

func linkTo(target string) special {
	return func(t *testing.T, path string) {
		t.Helper()
		if err := os.Symlink(target, path); err != nil {
			t.Fatal(err)
		}
	}
}

// large is a file of 600 MB that takes no place on the disk.
func large(t *testing.T, path string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(`{"a": "`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 600<<20); err != nil {
		t.Fatal(err)
	}
}

// chain is directories of which each lists the next among its transformers, twice.
func chain(length int) map[string]string {
	files := map[string]string{"top/hco.yaml": hco, "top/kustomization.yaml": "resources: [hco.yaml]\ntransformers: [../d0]\n"}
	for i := range length {
		files[fmt.Sprintf("d%d/label.yaml", i)] = `apiVersion: builtin
kind: LabelTransformer
metadata: {name: label}
labels: {a: b}
fieldSpecs: [{path: metadata/labels, create: true}]
`
		files[fmt.Sprintf("d%d/kustomization.yaml", i)] = fmt.Sprintf("resources: [label.yaml]\ntransformers: [../d%d]\n", i+1)
	}
	files[fmt.Sprintf("d%d/kustomization.yaml", length)] = "resources: [label.yaml]\n"
	files[fmt.Sprintf("d%d/label.yaml", length)] = files["d0/label.yaml"]
	return files
}

// TestFiles: what somebody puts into a directory is read up to a limit, or named in
// an error.
func TestFiles(t *testing.T) {
	t.Parallel()
	copies := `[{"op": "add", "path": "/spec/x", "value": {"y": "0123456789012345678901234567890123456789"}}`
	for i := range 40 {
		copies += fmt.Sprintf(`, {"op": "copy", "from": "/spec/x", "path": "/spec/x/c%d"}`, i)
	}
	copies += "]"
	kustomized := func(text string) map[string]string {
		return map[string]string{"top/kustomization.yaml": text, "top/hco.yaml": hco}
	}
	plus := func(files map[string]string, name, text string) map[string]string {
		files[name] = text
		return files
	}
	deep := strings.Repeat("[", 9000) + strings.Repeat("]", 9000)
	for name, tc := range map[string]struct {
		files   map[string]string
		special map[string]special
		args    []string // "TOP" is the directory; "" is render TOP
		stdin   string
		status  int
		says    string // part of stderr
	}{
		"PipeInDirectory": {
			files:   map[string]string{"top/hco.yaml": hco},
			special: map[string]special{"top/x.yaml": pipe},
			status:  1,
			says:    "not a regular file",
		},
		"PipeByName": {
			special: map[string]special{"x.yaml": pipe},
			args:    []string{"render", "TOP/../x.yaml"},
			files:   kustomized(""),
			status:  1,
			says:    "not a regular file",
		},
		"PipeAsIgnore": {
			files:   map[string]string{"top/hco.yaml": hco},
			special: map[string]special{"top/.krmignore": pipe},
			status:  1,
			says:    "not a regular file",
		},
		"PipeAsKustomization": {
			files:   map[string]string{"top/hco.yaml": hco},
			special: map[string]special{"top/kustomization.yaml": pipe},
			status:  1,
			says:    "not a regular file",
		},
		"PipeAsResource": {
			files:   kustomized("resources: [hco.yaml, x.yaml]"),
			special: map[string]special{"top/x.yaml": pipe},
			status:  1,
			says:    "not a regular file",
		},
		"PipeInGenerator": {
			files:   kustomized("resources: [hco.yaml]\nconfigMapGenerator: [{name: m, files: [x]}]"),
			special: map[string]special{"top/x": pipe},
			status:  1,
			says:    "not a regular file",
		},
		"PipeAsConfig": {
			files:   map[string]string{"top/hco.yaml": hco},
			special: map[string]special{"c.yaml": pipe},
			args:    []string{"render", "TOP", "--config", "TOP/../c.yaml"},
			status:  1,
			says:    "not a regular file",
		},
		"PipeAsRegistriesConf": {
			files:   map[string]string{"top/hco.yaml": hco},
			special: map[string]special{"r.conf": pipe},
			args:    []string{"resolve", "127.0.0.1:1/a:1", "--registries-conf", "TOP/../r.conf"},
			status:  1,
			says:    "not a regular file",
		},
		"LargeAsRegistriesConf": {
			files:   kustomized(""),
			special: map[string]special{"r.conf": large},
			args:    []string{"resolve", "127.0.0.1:1/a:1", "--registries-conf", "TOP/../r.conf"},
			status:  1,
			says:    "at most 4Mi",
		},
		"LargeAsConfig": {
			files:   map[string]string{"top/hco.yaml": hco},
			special: map[string]special{"c.yaml": large},
			args:    []string{"render", "TOP", "--config", "TOP/../c.yaml"},
			status:  1,
			says:    "at most 64Mi",
		},
		"LargeAsLive": {
			files:   map[string]string{"top/hco.yaml": hco},
			special: map[string]special{"c.yaml": large},
			args:    []string{"render", "TOP", "--live", "TOP/../c.yaml"},
			status:  1,
			says:    "at most 64Mi",
		},
		"LargeAsNodes": {
			files:   map[string]string{"top/hco.yaml": hco},
			special: map[string]special{"c.yaml": large},
			args:    []string{"render", "TOP", "--nodes", "TOP/../c.yaml"},
			status:  1,
			says:    "at most 64Mi",
		},
		"LargeAsLock": {
			files:   map[string]string{"top/hco.yaml": hco},
			special: map[string]special{"l.yaml": large},
			args:    []string{"lock", "TOP", "--file", "TOP/../l.yaml"},
			status:  1,
			says:    "at most 64Mi",
		},
		"PipeAsLive": {
			files:   map[string]string{"top/hco.yaml": hco},
			special: map[string]special{"c.yaml": pipe},
			args:    []string{"render", "TOP", "--live", "TOP/../c.yaml"},
			status:  1,
			says:    "not a regular file",
		},
		"PipeAsNodes": {
			files:   map[string]string{"top/hco.yaml": hco},
			special: map[string]special{"c.yaml": pipe},
			args:    []string{"forecast", "TOP", "--nodes", "TOP/../c.yaml"},
			status:  1,
			says:    "not a regular file",
		},
		"PipeAsLock": {
			files:   map[string]string{"top/hco.yaml": hco},
			special: map[string]special{"l.yaml": pipe},
			args:    []string{"lock", "TOP", "--set=registryRetries=0", "--file", "TOP/../l.yaml"},
			status:  1,
			says:    "",
		},
		"PipeAsInput": {
			files: map[string]string{
				"top/hco.yaml": hco,
				"top/g.yaml":   "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g}\nspec: {inputs: [p]}\n",
			},
			special: map[string]special{"top/p": pipe},
			args:    []string{"render", "hco.yaml", "g.yaml"},
			status:  1,
			says:    "not a regular file",
		},
		"ZeroByName": {args: []string{"render", "/dev/zero"}, status: 1, says: "not a regular file"},
		"ZeroLinked": {
			files:   map[string]string{"top/hco.yaml": hco},
			special: map[string]special{"top/x.yaml": linkTo("/dev/zero")},
			status:  1,
			says:    "leads out of the directory",
		},
		"ZeroAsIgnore": {
			files:   map[string]string{"top/hco.yaml": hco},
			special: map[string]special{"top/.krmignore": linkTo("/dev/zero")},
			status:  1,
			says:    "not a regular file",
		},
		"KernelAsIgnore": {
			files:   map[string]string{"top/hco.yaml": hco},
			special: map[string]special{"top/.krmignore": linkTo("/proc/kmsg")},
			status:  1,
			says:    "a file of the kernel",
		},
		"KernelByName": {args: []string{"render", "/proc/kmsg"}, status: 1, says: ""},
		"KernelAsConfig": {
			files:  map[string]string{"top/hco.yaml": hco},
			args:   []string{"render", "TOP", "--config", "/proc/self/environ"},
			status: 1,
			says:   "a file of the kernel",
		},
		"ZeroAsKustomization": {
			files:   map[string]string{"top/hco.yaml": hco},
			special: map[string]special{"top/kustomization.yaml": linkTo("/dev/zero")},
			status:  1,
			says:    "",
		},
		"ZeroDiscovered": {
			files:   map[string]string{"top/hco.yaml": hco},
			special: map[string]special{"top/kustomization.yaml": linkTo("/dev/zero")},
			args:    []string{"argocd", "discover"},
			status:  0,
		},
		"PipeDiscovered": {
			files:   map[string]string{"top/hco.yaml": hco},
			special: map[string]special{"top/x.yaml": pipe},
			args:    []string{"argocd", "discover"},
			status:  0,
		},
		"LargeByName": {
			special: map[string]special{"x.json": large},
			files:   kustomized(""),
			args:    []string{"render", "TOP/../x.json"},
			status:  1,
			says:    "at most 64Mi; raise the limit with --max-file-size",
		},
		"LargeAsIgnore": {files: map[string]string{"top/hco.yaml": hco}, special: map[string]special{"top/.krmignore": large}, status: 1, says: "at most 1Mi"},
		"LargeAsKustomization": {
			files:   map[string]string{"top/hco.yaml": hco},
			special: map[string]special{"top/kustomization.yaml": large},
			status:  1,
			says:    "at most 64Mi",
		},
		"LargeDiscovered": {
			files:   map[string]string{"top/hco.yaml": hco},
			special: map[string]special{"top/x.yaml": large},
			args:    []string{"argocd", "discover"},
			status:  1,
			says:    "at most 64Mi",
		},
		"LimitOfTheFlag":  {files: map[string]string{"top/hco.yaml": hco}, args: []string{"render", "TOP", "--max-file-size=20"}, status: 1, says: "at most 20;"},
		"LimitOfStdin":    {args: []string{"render", "-", "--max-file-size=1Ki"}, stdin: strings.Repeat("# comment\n", 1000), status: 1, says: "at most 1Ki;"},
		"LimitOfFunction": {args: []string{"--max-file-size=1Ki"}, stdin: strings.Repeat("# comment\n", 1000), status: 1, says: "at most 1Ki;"},
		"NoLimit": {
			files:  map[string]string{"top/hco.yaml": hco},
			args:   []string{"render", "TOP", "--max-file-size=1e9999999"},
			status: 2,
			says:   "expected a number of bytes",
		},
		"LinkOut": {
			files:   map[string]string{"top/hco.yaml": hco, "secret.yaml": hco},
			special: map[string]special{"top/x.yaml": linkTo("../secret.yaml")},
			status:  1,
			says:    "leads out of the directory",
		},
		"LinksToItself": {
			files:   map[string]string{"top/hco.yaml": hco, "top/kustomization.yaml": "resources: [b, c]"},
			special: map[string]special{"top/b": linkTo("."), "top/c": linkTo(".")},
			args:    []string{"argocd", "discover"},
			status:  0,
		},
		"LinksToItselfBuilt": {
			files:   map[string]string{"top/hco.yaml": hco, "top/kustomization.yaml": "resources: [b, c]"},
			special: map[string]special{"top/b": linkTo("."), "top/c": linkTo(".")},
			status:  1,
			says:    "cycle",
		},
		"BombResource": {
			files:  plus(kustomized("resources: [hco.yaml, x.yaml]"), "top/x.yaml", bombHead+bomb()),
			status: 1,
			says:   "anchors expand to more than",
		},
		"BombPatchFile": {
			files:  plus(kustomized("resources: [hco.yaml]\npatches: [{path: x.yaml}]"), "top/x.yaml", hco+bomb()),
			status: 1,
			says:   "anchors expand to more than",
		},
		"BombPatchInline": {
			files:  kustomized("resources: [hco.yaml]\npatches:\n- patch: |\n    " + strings.ReplaceAll(hco+bomb(), "\n", "\n    ")),
			status: 1,
			says:   "anchors expand to more than",
		},
		"BombTransformer": {
			files:  kustomized("resources: [hco.yaml]\ntransformers:" + indented("apiVersion: builtin\nkind: LabelTransformer\nmetadata: {name: l}\n"+bomb())),
			status: 1,
			says:   "anchors expand to more than",
		},
		"BombKustomization": {files: kustomized("resources: [hco.yaml]\n" + bomb()), status: 1, says: "anchors expand to more than"},
		"BombComponent": {
			files: plus(plus(kustomized("resources: [hco.yaml]\ncomponents: [../part]"), "part/kustomization.yaml",
				"apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [x.yaml]\n"),
				"part/x.yaml", bombHead+bomb()),
			status: 1,
			says:   "anchors expand to more than",
		},
		"BombConfiguration": {
			files:  plus(kustomized("resources: [hco.yaml]\nconfigurations: [x.yaml]"), "top/x.yaml", bomb()),
			status: 1,
			says:   "anchors expand to more than",
		},
		"BombDiscovered": {
			files:  plus(kustomized("resources: [hco.yaml, x.yaml]"), "top/x.yaml", bombHead+bomb()),
			args:   []string{"argocd", "discover"},
			status: 1,
			says:   "anchors expand to more than",
		},
		"ItselfResource": {files: plus(kustomized("resources: [hco.yaml, x.yaml]"), "top/x.yaml", itself), status: 1, says: "anchor contains itself"},
		"ItselfInline":   {files: kustomized("resources: [hco.yaml]\ngenerators:" + indented(itself)), status: 1, says: "anchor contains itself"},
		"ItselfEscaped": {
			files: kustomized(`{"resources": ["hco.yaml"], "patches": [{"patch": "apiVersion: hco.kubevirt.io/v1beta1\nkind: ` +
				`HyperConverged\nmetadata: {name: kubevirt-hyperconverged}\nspec: \u0026a {b: \u002aa}\n"}]}`),
			status: 1,
			says:   "anchor contains itself",
		},
		"ItselfPlain": {files: map[string]string{"top/x.yaml": itself}, status: 1, says: "anchor contains itself"},
		"DeepResource": {
			files:  plus(kustomized("resources: [hco.yaml, x.yaml]"), "top/x.yaml", bombHead+"data: "+deep+"\n"),
			status: 1,
			says:   "nested more than 500 levels",
		},
		"DeepPlain": {
			files:  map[string]string{"top/x.json": `{"apiVersion": "v1", "kind": "A", "x": ` + deep + "}"},
			status: 1,
			says:   "nested more than 500 levels",
		},
		"CopiesInPatch": {
			files:  kustomized("resources: [hco.yaml]\npatches: [{target: {kind: HyperConverged}, patch: '" + copies + "'}]"),
			status: 1,
			says:   "copy",
		},
		"TransformersDeep":  {files: chain(60), status: 1, says: "GA114"},
		"TransformersFound": {files: chain(200), args: []string{"argocd", "discover"}, status: 0},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filetest.New(t, tc.files)
			top := filepath.Join(dir, "top")
			if err := os.MkdirAll(top, 0o750); err != nil {
				t.Fatal(err)
			}
			for name, put := range tc.special {
				put(t, filepath.Join(dir, name))
			}
			args := []string{"render", top}
			if tc.args != nil {
				args = nil
			}
			for _, arg := range tc.args {
				args = append(args, strings.Replace(arg, "TOP", top, 1))
			}
			got := Run(t, args, tc.stdin, Limits{Dir: top})
			if got.Status != tc.status || !strings.Contains(got.Stderr, tc.says) {
				t.Errorf("want status %d and %q, got %d and\n%.1000s", tc.status, tc.says, got.Status, got.Stderr)
			}
			if got.Peak > 256<<20 {
				t.Errorf("it took %d MB", got.Peak>>20)
			}
		})
	}
}
