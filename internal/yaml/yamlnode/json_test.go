package yamlnode

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"
	k8syaml "sigs.k8s.io/yaml"
)

// readOnce returns the JSON of a node that need not be read again as a text.
func readOnce(n *yaml.Node) ([]byte, bool) {
	tree, ok := treeOf(n, serverScalar)
	if !ok {
		return nil, false
	}
	data, err := json.Marshal(tree)
	return data, err == nil
}

// TestServerScalar says which texts are written without being read again.
func TestServerScalar(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		reason, text, want string
	}{
		"Object": {
			reason: "texts, numbers, truth, nothing",
			text:   "{a: b, size: 12, t: true, u: null, list: [x, 0]}",
			want:   `{"a":"b","list":["x",0],"size":12,"t":true,"u":null}`,
		},
		"OldTruth": {
			reason: "kubectl's YAML is 1.1: a plain yes is true",
			text:   "a: yes\nb: Off\nc: y\nd: yesno\n",
			want:   `{"a":true,"b":false,"c":true,"d":"yesno"}`,
		},
		"OldNumbers": {
			reason: "and a leading zero is octal",
			text:   "a: 010\nb: 1_000\nc: 0x10\nd: 1e3\ne: -1\nf: .5\n",
			want:   `{"a":8,"b":1000,"c":16,"d":1000,"e":-1,"f":0.5}`,
		},
		"Quoted":       {reason: "what is quoted is a text", text: "a: \"yes\"\nb: '12'\nc: |\n  x\n", want: `{"a":"yes","b":"12","c":"x\n"}`},
		"Escapes":      {reason: "JSON's own letters", text: `a: "q\"\\ \u00fc \x01"`, want: `{"a":"q\"\\ ü \u0001"}`},
		"Times":        {reason: "a date is a text", text: "a: 2001-01-01\n", want: `{"a":"2001-01-01"}`},
		"Colons":       {reason: "so is what looks like one", text: "a: docker://x/y:1\nb: 1:30\n", want: `{"a":"docker://x/y:1","b":"1:30"}`},
		"Schedules":    {reason: "a schedule is no number", text: "a: 0 */12 * * *\nb: 5/2\n", want: `{"a":"0 */12 * * *","b":"5/2"}`},
		"AliasNot":     {reason: "an alias is expanded elsewhere", text: "a: &a b\nc: *a\n"},
		"TwiceNot":     {reason: "which of two keys counts is decided elsewhere", text: "a: 1\na: 2\n"},
		"NumberKeyNot": {reason: "so is what becomes of a key that is no text", text: "1: a\n"},
		"TagNot":       {reason: "and of a tag", text: "a: !!str 1\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, ok := readOnce(yaml.MustParse(tc.text).YNode())
			if ok != (tc.want != "") {
				t.Fatalf("%s: written: %v", tc.reason, ok)
			}
			if ok && string(got) != tc.want {
				t.Errorf("%s:\nwant %s\ngot  %s", tc.reason, tc.want, got)
			}
		})
	}
}

// FuzzJSON proves that what is written says the same as what kubectl's reader
// makes of the text.
func FuzzJSON(f *testing.F) {
	for _, seed := range []string{
		"a: b\n",
		"a: yes\nb: [1, 0x1, 1e3, -0, +1, .inf, ~, 1_0, 0o7, 07, 1:2]\n",
		"k: |+\n  x\n\n",
		"a: >-\n  x\n  y\n\n  z\n",
		"{\"a\": 'b', c: \"\\u2028\\x7f\"}",
		"a:\n- - b\n  - {}\n- []\n",
		"on: 1\n",
		"a: <<\nb: =\nc: !x y\n",
		"a: 2001-01-01T00:00:00Z\n",
		"a: 12345678901234567890\n",
		"a: 0 */12 * * *\nb: 1/2\nc: 1*2\nd: 2001/1/1 1:2:3\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 500 || strings.Contains(text, "!") {
			return // kyaml does not tell of a tag that is only a "!"
		}
		item, err := yaml.Parse(text)
		if err != nil || item.YNode() == nil || item.YNode().Kind != yaml.MappingNode || HasAlias(item.YNode()) {
			return
		}
		data, ok := readOnce(item.YNode())
		if !ok {
			return
		}
		slow, err := k8syaml.YAMLToJSON([]byte(text))
		if err != nil {
			return // the two readers do not take the same texts
		}
		var got, want any
		if err := json.Unmarshal(data, &got); err != nil {
			t.Fatalf("no JSON: %v\n%s", err, data)
		}
		if err := json.Unmarshal(slow, &want); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-kubectl +got):\n%s\nof %q", diff, text)
		}
	})
}
