package shape

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

type inner struct {
	Whole int32   `json:"whole"`
	Part  float64 `json:"part"`
}

type document struct {
	inner  `json:",inline"`
	Names  []string          `json:"names"`
	Labels map[string]string `json:"labels"`
	On     *bool             `json:"on"`
	Below  *inner            `json:"below"`
	List   []inner           `json:"list"`
	Data   []byte            `json:"data"`
	Time   time.Time         `json:"time"`
	Raw    json.RawMessage   `json:"raw"`
	Any    any               `json:"any"`
	Hidden string            `json:"-"`
	Plain  string
}

func TestFaults(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, data string
		want         []string
	}{
		{
			reason: "all of it fits",
			data:   `{"whole":1,"part":1.5,"names":["a"],"labels":{"a":"b"},"on":true,"below":{},"list":[{}],"data":"YQ==","time":"2020-01-01T00:00:00Z"}`,
		},
		{"null is nothing", `{"whole":null,"names":null,"labels":{"a":null},"on":null,"list":[null]}`, nil},
		{"the document", `[]`, []string{"spec is a list, expected an object"}},
		{"a field of an embedded struct has no name of Go's", `{"whole":"1"}`, []string{`spec.whole is the string "1", expected a whole number`}},
		{
			reason: "a whole number",
			data:   `{"whole":1.5,"below":{"whole":99999999999}}`,
			want:   []string{"spec.below.whole is the number 99999999999, expected a whole number", "spec.whole is the number 1.5, expected a whole number"},
		},
		{"a number", `{"part":true}`, []string{"spec.part is the bool true, expected a number"}},
		{"an element", `{"names":["a",1,{}]}`, []string{"spec.names[1] is the number 1, expected a string", "spec.names[2] is an object, expected a string"}},
		{"an entry of a map", `{"labels":{"a.b/c":1}}`, []string{"spec.labels[a.b/c] is the number 1, expected a string"}},
		{"a map", `{"labels":"x"}`, []string{`spec.labels is the string "x", expected an object`}},
		{"a list", `{"names":{},"list":1}`, []string{"spec.list is the number 1, expected a list", "spec.names is an object, expected a list"}},
		{"deep in a list", `{"list":[{},{"part":[]}]}`, []string{"spec.list[1].part is a list, expected a number"}},
		{"a pointer", `{"on":"true","below":[]}`, []string{"spec.below is a list, expected an object", `spec.on is the string "true", expected true or false`}},
		{"bytes are a string", `{"data":1}`, []string{"spec.data is the number 1, expected a string"}},
		{
			reason: "a type with a form of its own",
			data:   `{"time":"now"}`,
			want:   []string{`spec.time is the string "now": parsing time "now" as "2006-01-02T15:04:05Z07:00": cannot parse "now" as "2006"`},
		},
		{"what is read later", `{"raw":[1],"any":{"a":[]}}`, nil},
		{"keys that the type does not have", `{"Names":1,"hidden":1,"Hidden":1,"-":1}`, nil},
		{"a field without a tag", `{"Plain":1}`, []string{"spec.Plain is the number 1, expected a string"}},
		{"no JSON", `{`, nil},
	} {
		var got []string
		for _, f := range Faults("spec", []byte(tc.data), &document{}) {
			got = append(got, f.Path+" "+f.Text)
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}

// TestRemedy: what to do where the fault is one that people make often.
func TestRemedy(t *testing.T) {
	t.Parallel()
	for data, want := range map[string]Fault{
		`{"names":[true]}`:  {Do: `write it in quotes: "true"`, Value: true},
		`{"names":[1.20]}`:  {Do: "write it in quotes", Value: "1.20"},
		`{"names":[{}]}`:    {Do: "correct the value"},
		`{"on":"false"}`:    {Do: "write it without quotes: false", Value: "false"},
		`{"on":"yes"}`:      {Do: "correct the value", Value: "yes"},
		`{"time":"x"}`:      {Do: "correct the value", Value: "x"},
		`{"part":[1, "a"]}`: {Do: "correct the value"},
	} {
		got := Faults("", []byte(data), &document{})
		if len(got) != 1 || got[0].Do != want.Do || got[0].Value != want.Value {
			t.Errorf("%s: want %+v, got %+v", data, want, got)
		}
	}
}
