package v1alpha1

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
)

const reference = "../../docs/configuration.md"

// section returns a part of the reference, from its heading to the next one of
// the same rank.
func section(t *testing.T, heading string) string {
	t.Helper()
	text, err := os.ReadFile(reference)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(text), "\n## "+heading+"\n")
	if !ok {
		t.Fatalf("%s has no section %q", reference, heading)
	}
	part, _, _ := strings.Cut(rest, "\n## ")
	return part
}

// rows returns the first cells of the tables whose first cell is code.
func rows(part string) (cells [][]string) {
	for line := range strings.SplitSeq(part, "\n") {
		if strings.HasPrefix(line, "| `") {
			row := strings.Split(strings.Trim(line, "|"), "|")
			for i, cell := range row {
				row[i] = strings.TrimSpace(cell)
			}
			cells = append(cells, row)
		}
	}
	return cells
}

// leaves returns the paths of all fields of a type, in order. A list of objects
// is a field of its own.
func leaves(t reflect.Type, path string) []string {
	switch {
	case t.Kind() == reflect.Pointer:
		return leaves(t.Elem(), path)
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct:
		return append([]string{path}, leaves(t.Elem(), path+"[]")...)
	case t.Kind() != reflect.Struct, t.PkgPath() != reflect.TypeFor[GoldenImages]().PkgPath():
		return []string{path} // of another project: its reference is theirs
	}
	var out []string
	for field := range t.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		at := path
		if name != "" {
			at = fieldpath.Join(path, name)
		}
		out = append(out, leaves(field.Type, at)...)
	}
	return out
}

// saidOnce reports whether the reference says what a field means elsewhere: of all kinds, in its introduction; of the registry of a
// WorkloadArchitectures, among the fields of a GoldenImages.
func saidOnce(kind, path string) bool {
	return !strings.HasPrefix(path, "spec") && !strings.HasPrefix(path, "images") && !strings.HasPrefix(path, "operators") ||
		kind == WorkloadArchitecturesKind && strings.HasPrefix(path, "spec.registry.")
}

// The reference has every field of the kinds, no other, in their order.
func TestReferenceHasEveryField(t *testing.T) {
	t.Parallel()
	for heading, kind := range map[string]reflect.Type{
		GoldenImagesKind:          reflect.TypeFor[GoldenImages](),
		ClusterArchitecturesKind:  reflect.TypeFor[ClusterArchitectures](),
		ArchitectureLockKind:      reflect.TypeFor[ArchitectureLock](),
		WorkloadArchitecturesKind: reflect.TypeFor[WorkloadArchitectures](),
	} {
		var got []string
		for _, row := range rows(section(t, heading)) {
			got = append(got, strings.Trim(row[0], "`"))
		}
		want := slices.DeleteFunc(leaves(kind, ""), func(path string) bool { return saidOnce(heading, path) })
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s of %s (-types +reference):\n%s", heading, reference, diff)
		}
	}
}

func TestReferenceHasEveryScalar(t *testing.T) {
	t.Parallel()
	want := map[string]string{}
	for _, s := range Scalars() {
		want[s.Path] = s.Key
	}
	got := map[string]string{}
	for _, row := range rows(section(t, GoldenImagesKind)) {
		if strings.HasPrefix(row[0], "`spec.") && row[1] != "" {
			got[strings.Trim(row[0], "`")] = strings.Trim(row[1], "`")
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the keys in %s (-Scalars +reference):\n%s", reference, diff)
	}
}

// The defaults of the reference are those of the code.
func TestReferenceHasTheDefaults(t *testing.T) {
	t.Parallel()
	g, err := DecodeGoldenImages(nil)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := json.Marshal(g)
	if err != nil {
		t.Fatal(err)
	}
	var tree map[string]any
	if err := json.Unmarshal(encoded, &tree); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	flatten(want, "spec", tree["spec"])
	got := map[string]string{}
	for _, row := range rows(section(t, GoldenImagesKind)) {
		if field := strings.Trim(row[0], "`"); strings.HasPrefix(row[3], "`") && strings.HasPrefix(field, "spec.") {
			got[field] = strings.Trim(row[3], "`")
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("defaults in %s (-code +reference):\n%s", reference, diff)
	}
}

func flatten(out map[string]string, path string, value any) {
	m, ok := value.(map[string]any)
	if !ok {
		out[path] = fmt.Sprint(value)
		return
	}
	for key, inner := range m {
		flatten(out, path+"."+key, inner)
	}
}

// The examples of the reference are right.
func TestReferenceExamples(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(reference)
	if err != nil {
		t.Fatal(err)
	}
	examples := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	if len(examples) != 5 {
		t.Errorf("%s has %d examples, expected one of each kind and a ConfigMap", reference, len(examples))
	}
	for _, example := range examples {
		var tree map[string]any
		if err := yaml.Unmarshal([]byte(example[1]), &tree); err != nil {
			t.Errorf("%v in\n%s", err, example[1])
			continue
		}
		switch _, kind := typeOf(tree); kind {
		case ClusterArchitecturesKind:
			_, err = DecodeClusterArchitectures(tree)
		case ArchitectureLockKind:
			_, err = DecodeArchitectureLock(tree)
		case WorkloadArchitecturesKind:
			_, err = DecodeWorkloadArchitectures(tree)
		default:
			_, err = DecodeGoldenImages(tree)
		}
		if err != nil {
			t.Errorf("%v in\n%s", err, example[1])
		}
	}
}
