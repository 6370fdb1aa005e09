package hyperconverged

import (
	"encoding/json"
	"testing"
)

// TestPathsAreThoseOfParse: a field that moves in a version moves in Paths and in what Parse decodes.
func TestPathsAreThoseOfParse(t *testing.T) {
	t.Parallel()
	selector := map[string]any{"nodeSelector": map[string]any{"a": "b"}}
	for _, version := range []Version{V1, V1beta1} {
		paths := version.Paths()
		tree := map[string]any{"apiVersion": Group + "/" + string(version), "metadata": map[string]any{"name": Name}}
		for _, field := range []struct {
			path  Path
			value any
		}{
			{paths.Templates, []any{map[string]any{"metadata": map[string]any{"name": "fedora"}}}},
			{paths.CommonImport, false},
			{paths.BootNamespace, "images"},
			{paths.Workloads, selector},
			{paths.Infra, selector},
			{version.GatePath(), true},
		} {
			holder := tree
			for _, key := range field.path[:len(field.path)-1] {
				if holder[key] == nil {
					holder[key] = map[string]any{}
				}
				holder, _ = holder[key].(map[string]any)
			}
			holder[field.path[len(field.path)-1]] = field.value
		}
		data, err := json.Marshal(tree)
		if err != nil {
			t.Fatal(err)
		}
		cr, found := Parse(data)
		switch {
		case cr == nil:
			t.Errorf("%s: %v", version, found)
		case len(cr.Templates) != 1 || cr.CommonImport || cr.BootNamespace != "images" || !cr.Gate.On() ||
			cr.Workloads.NodeSelector["a"] != "b" || cr.Infra.NodeSelector["a"] != "b":
			t.Errorf("%s: a field is not read where Paths has it: %s", version, data)
		}
	}
}
