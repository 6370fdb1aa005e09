package definition

import (
	"encoding/json"
	"reflect"
	"testing"

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
		holdSchema(t, name, made)
	}
}
