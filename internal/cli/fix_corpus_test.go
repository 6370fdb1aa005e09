package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/yaml"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// corpus returns the files of people that fix is tried on: those of the cases, those
// of the directory that the variable names, and those beside the repository.
func corpus(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, pattern := range []string{"testdata/fix/*/tree/*.yaml", "testdata/fix/*/tree/base/*.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v (%v)", pattern, files, err)
		}
		out = append(out, files...)
	}
	dirs := []string{"../../../shared/corpus"}
	if dir := os.Getenv("GOLDENARCH_CORPUS"); dir != "" {
		dirs = append(dirs, dir)
	}
	for _, dir := range dirs {
		out = append(out, manifestsBelow(t, dir)...)
	}
	return out
}

// manifestsBelow returns the YAML files of a directory and of those below it; none if it
// does not exist.
func manifestsBelow(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(name string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if ext := filepath.Ext(name); entry.Type().IsRegular() && (ext == ".yaml" || ext == ".yml") {
			out = append(out, name)
		}
		return nil
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return out
}

// decides are the flags of a run that needs no network.
var decides = []string{
	"--workload-architectures", "amd64,arm64", "--control-plane-architectures", "amd64",
	"--set", "predefined=none", "--set", "unresolved=Keep", "--set", "lock=Require",
}

// added matches the lines that these decisions add, and emptied those that they may
// take out: a field that holds nothing yet.
var (
	added = regexp.MustCompile(`^\s*[-{]*\s*"?(spec|featureGates|workloadSources|metadata|annotations|` +
		`enableMultiArchBootImageImport|goldenarch\.dev/[a-z-]+|ssp\.kubevirt\.io/dict\.architectures)"?:|^\{`)
	emptied = regexp.MustCompile(`:\s*(\{.*\}|null|~|false|true)?\s*(#.*)?$|^\{`)
)

// TestFixCorpus: in files of people only the lines change that a decision is about, a
// second run changes nothing, what the file says is what the function decides, "git apply"
// of the diff makes the same file, and a file without a CR or a decision keeps its bytes.
func TestFixCorpus(t *testing.T) {
	t.Parallel()
	fixed, equal := 0, 0
	for _, name := range corpus(t) {
		before := filetest.Read(t, name)
		file := filepath.Join(t.TempDir(), "f.yaml")
		run := func(verb string, args ...string) (string, string, int) {
			status, out, messages := runFed(t, "", slices.Concat([]string{verb, file}, decides, args)...)
			return out, messages, status
		}
		filetest.File(t, file, string(before))
		diff, _, diffStatus := run("fix", "--diff")
		_, messages, status := run("fix")
		after := filetest.Read(t, file)
		if status != statusOK || bytes.Equal(before, after) {
			if equal++; !bytes.Equal(before, after) {
				t.Errorf("%s: a run that failed has changed the file: %s", name, messages)
			}
			continue
		}
		fixed++
		if diffStatus != statusDiffers || !bytes.Contains(before, []byte("HyperConverged")) {
			t.Errorf("%s: a file without a CR has changed, or --diff ends with %d: %s", name, diffStatus, messages)
		}
		if applied := applied(t, before, diff); applied != string(after) {
			t.Errorf("%s: git apply of the diff gives another text than fix", name)
		}
		onlyDecided(t, name, string(before), string(after))
		says(t, name, string(before), string(after))
		if _, _, status := run("fix"); status != statusOK {
			t.Errorf("%s: the second run fails", name)
		}
		if again, err := os.ReadFile(file); err != nil || !bytes.Equal(after, again) {
			t.Errorf("%s: the second run changes the file (%v)", name, err)
		}
		if rendered, _, _ := run("render"); strings.Count(rendered, "\nkind:") == strings.Count(string(after), "\nkind:") && rendered != string(after) {
			t.Errorf("%s: render does not print what fix has written", name)
		}
	}
	t.Logf("%d files were fixed, %d were left alone", fixed, equal)
	if fixed < 8 {
		t.Errorf("only %d files were fixed", fixed)
	}
}

// applied returns a text after "git apply" of a diff.
func applied(t *testing.T, before []byte, diff string) string {
	t.Helper()
	dir := t.TempDir()
	name := filepath.Join(dir, "f.yaml")
	filetest.File(t, name, string(before))
	git(t, dir, diff, "apply", "--whitespace=nowarn", "-")
	after := filetest.Read(t, name)
	return string(after)
}

// onlyDecided fails if a line has changed that no decision is about.
func onlyDecided(t *testing.T, name, before, after string) {
	t.Helper()
	count := map[string]int{}
	for line := range strings.SplitSeq(after, "\n") {
		count[line]++
	}
	for line := range strings.SplitSeq(before, "\n") {
		if count[line]--; count[line] < 0 && !emptied.MatchString(line) && count[line+"\r"] == 0 {
			if rest := strings.TrimRight(line, " {}"); !strings.Contains(after, rest) {
				t.Errorf("%s: the line %q is gone", name, line)
			}
		}
	}
	for line, n := range count {
		if n > 0 && !added.MatchString(strings.TrimRight(line, "\r")) && !strings.Contains(before, strings.TrimRight(line, "\r")) {
			t.Errorf("%s: the line %q is new", name, line)
		}
	}
}

// says fails unless a file says what the function decides where kyaml encodes its
// output: a list in brackets cannot be cut into its items.
func says(t *testing.T, name, before, after string) {
	t.Helper()
	in := objectsOf(t, name, before)
	list, err := json.Marshal(map[string]any{"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": in})
	if err != nil {
		t.Fatal(err)
	}
	var out, messages bytes.Buffer
	if status := Execute(t.Context(), decides, Streams{In: bytes.NewReader(append([]byte("  "), list...)), Out: &out, Err: &messages}); status != statusOK {
		t.Errorf("%s: the function fails: %s", name, &messages)
		return
	}
	items, err := (&kio.ByteReader{Reader: &out, OmitReaderAnnotations: true}).Read()
	if err != nil {
		t.Fatal(err)
	}
	var want []any
	for _, item := range items {
		want = append(want, asTree(t, item))
	}
	if got := objectsOf(t, name, after); !reflect.DeepEqual(want, got) {
		t.Errorf("%s: the file says\n%v\nand the function decides\n%v", name, got, want)
	}
}

func asTree(t *testing.T, item *yaml.RNode) any {
	t.Helper()
	text, err := item.String()
	if err != nil {
		t.Fatal(err)
	}
	return objectsOf(t, "", text)[0]
}

// objectsOf reads the objects of a file as the API server does.
func objectsOf(t *testing.T, name, text string) []any {
	t.Helper()
	var out []any
	for doc := range strings.SplitSeq("\n"+strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n"), "\n---") {
		doc, _, _ = strings.Cut(doc, "\n...")
		var tree any
		if err := k8syaml.Unmarshal([]byte(doc), &tree); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if tree != nil {
			out = append(out, tree)
		}
	}
	return out
}
