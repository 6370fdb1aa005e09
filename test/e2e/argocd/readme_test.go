package argocd

import (
	"fmt"
	"os"
	"regexp"
	"testing"

	"sigs.k8s.io/yaml"
)

// TestReadme: what the README shows is what Argo CD gets.
func TestReadme(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(example("README.md"))
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile("(?s)Expected result\n.*?```yaml\n(.*?)```").FindSubmatch(text)
	if shown == nil {
		t.Fatal("the README shows no expected result")
	}
	var cr map[string]any
	if err := yaml.Unmarshal(shown[1], &cr); err != nil {
		t.Fatal(err)
	}
	objects, err := newRepo(t, nil).generate(t.Context(), named())
	if err != nil {
		t.Fatal(err)
	}
	for _, missing := range lacks("HyperConverged", one(t, objects, "HyperConverged").Object, cr) {
		t.Error(missing)
	}
}

// lacks returns what one value has and another lacks, by its path.
func lacks(path string, got, want any) []string {
	var out []string
	switch want := want.(type) {
	case map[string]any:
		fields, _ := got.(map[string]any)
		for key, value := range want {
			out = append(out, lacks(path+"."+key, fields[key], value)...)
		}
	case []any:
		list, _ := got.([]any)
		if len(list) != len(want) {
			return []string{fmt.Sprintf("%s has %d elements, the README shows %d", path, len(list), len(want))}
		}
		for i, value := range want {
			out = append(out, lacks(fmt.Sprintf("%s[%d]", path, i), list[i], value)...)
		}
	default:
		if fmt.Sprint(got) != fmt.Sprint(want) {
			return []string{fmt.Sprintf("%s is %v, the README shows %v", path, got, want)}
		}
	}
	return out
}
