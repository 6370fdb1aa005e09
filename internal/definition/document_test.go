package definition

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/cli"
	"github.com/goldenarch/goldenarch/internal/report"
	"github.com/goldenarch/goldenarch/internal/transition"
)

// documents are what the verbs print with "-o json", by the file with the schema.
var documents = map[string]struct {
	typ   reflect.Type
	title string
}{
	"check.json":    {reflect.TypeFor[report.CheckDocument](), "What goldenarch check -o json prints"},
	"forecast.json": {reflect.TypeFor[report.ForecastDocument](), "What goldenarch forecast -o json prints for each CR, on a line of its own"},
	"plan.json":     {reflect.TypeFor[transition.Plan](), "What goldenarch plan -o json prints"},
	"resolve.json":  {reflect.TypeFor[[]cli.Resolved](), "What goldenarch resolve -o json prints"},
}

// TestDocumentSchemasAreFresh: the files are what the Go types say. What the verbs print is
// compared with the files where it is tested.
func TestDocumentSchemasAreFresh(t *testing.T) {
	t.Parallel()
	for name, one := range documents {
		out := sources{}.schemaOf(t, one.typ, nil)
		out["$schema"] = "http://json-schema.org/draft-07/schema#"
		out["title"] = one.title
		made, err := json.MarshalIndent(out, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		made = append(made, '\n')
		path := filepath.Join(root, schemas, name)
		if *update {
			if err := os.WriteFile(path, made, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(made)); diff != "" {
			t.Errorf("%s is not what the types say (-file +types); refresh with: go test ./internal/definition -update\n%s", name, diff)
		}
	}
}
