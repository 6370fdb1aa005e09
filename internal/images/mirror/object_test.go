package mirror

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
)

const (
	config   = "config.openshift.io/v1"
	operator = "operator.openshift.io/v1alpha1"
	idms     = "ImageDigestMirrorSet"
	itms     = "ImageTagMirrorSet"
	icsp     = "ImageContentSourcePolicy"
)

func TestParse(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		reason           string
		apiVersion, kind string
		spec             string
		want             []Rule
		faults           []string
	}{
		"Digests": {
			reason: "an ImageDigestMirrorSet is for digests", apiVersion: config, kind: idms,
			spec: `{"imageDigestMirrors":[{"source":"quay.io/a","mirrors":["m.io/a","n.io:5000"],"mirrorSourcePolicy":"NeverContactSource"}]}`,
			want: []Rule{never(digests("quay.io/a", "m.io/a", "n.io:5000"))},
		},
		"Tags": {
			reason: "an ImageTagMirrorSet is for tags", apiVersion: config, kind: itms,
			spec: `{"imageTagMirrors":[{"source":"*.example.com","mirrors":["m.io"],"mirrorSourcePolicy":"AllowContactingSource"}]}`,
			want: []Rule{tags("*.example.com", "m.io")},
		},
		"ContentSource": {
			reason: "an ImageContentSourcePolicy is for digests", apiVersion: operator, kind: icsp,
			spec: `{"repositoryDigestMirrors":[{"source":"quay.io","mirrors":["[::1]:5000/a"]}]}`,
			want: []Rule{digests("quay.io", "[::1]:5000/a")},
		},
		"NoMirrors": {
			reason:     "mirrors may be left out",
			apiVersion: config,
			kind:       idms,
			spec:       `{"imageDigestMirrors":[{"source":"quay.io"}]}`,
			want:       []Rule{digests("quay.io")},
		},
		"Empty": {reason: "a set may be empty", apiVersion: config, kind: idms, spec: `{}`},
		"Null":  {reason: "null is nothing", apiVersion: config, kind: idms, spec: `null`},
		"Unknown": {
			reason:     "OpenShift drops other fields: what they were meant for would be passed over",
			apiVersion: config,
			kind:       idms,
			spec:       `{"other":1,"imageTagMirrors":[1]}`,
			faults:     []string{"spec.imageTagMirrors is no field of this kind, which has imageDigestMirrors", "spec.other is no field"},
		},
		"Misspelt": {
			reason:     "a source that must not be asked would be",
			apiVersion: config,
			kind:       itms,
			spec:       `{"imageTagMirrors":[{"source":"quay.io","mirrors":["m.io"],"mirrorSourcePolcy":"NeverContactSource"}]}`,
			faults:     []string{"spec.imageTagMirrors[0].mirrorSourcePolcy is no field of this kind, which has source, mirrors, mirrorSourcePolicy"},
		},
		"PolicyOfICSP": {
			reason:     "an ImageContentSourcePolicy has no policy",
			apiVersion: operator,
			kind:       icsp,
			spec:       `{"repositoryDigestMirrors":[{"source":"quay.io","mirrors":["m.io"],"mirrorSourcePolicy":"NeverContactSource"}]}`,
			faults:     []string{"spec.repositoryDigestMirrors[0].mirrorSourcePolicy is no field"},
		},
		"Version": {
			reason:     "an API that is not served is no mirror set, and somebody meant one",
			apiVersion: "config.openshift.io/v1alpha1",
			kind:       itms,
			spec:       `{}`,
			faults:     []string{`apiVersion is "config.openshift.io/v1alpha1", expected "config.openshift.io/v1"`},
		},
		"SpecNoMap": {reason: "each fault is named with its field", apiVersion: config, kind: idms, spec: `[]`, faults: []string{"spec is not an object"}},
		"NoList": {
			reason:     "each fault is named with its field",
			apiVersion: config,
			kind:       idms,
			spec:       `{"imageDigestMirrors":{}}`,
			faults:     []string{"spec.imageDigestMirrors is not a list"},
		},
		"EntryNoMap": {
			reason:     "each fault is named with its field",
			apiVersion: config,
			kind:       idms,
			spec:       `{"imageDigestMirrors":["a"]}`,
			faults:     []string{"spec.imageDigestMirrors[0] is not an object"},
		},
		"NoSource": {
			reason:     "a source is required",
			apiVersion: config,
			kind:       itms,
			spec:       `{"imageTagMirrors":[{"mirrors":["m.io"]}]}`,
			faults:     []string{`spec.imageTagMirrors[0].source is "": expected a registry`},
		},
		"SourceNumber": {
			reason:     "one fault is told once",
			apiVersion: config,
			kind:       itms,
			spec:       `{"imageTagMirrors":[{"source":3}]}`,
			faults:     []string{`spec.imageTagMirrors[0].source is not a string`},
		},
		"BadMirror": {
			reason:     "a mirror must be a registry",
			apiVersion: config,
			kind:       idms,
			spec:       `{"imageDigestMirrors":[{"source":"quay.io","mirrors":["m.io","mirror/a",3]}]}`,
			faults: []string{
				`spec.imageDigestMirrors[0].mirrors[1] is "mirror/a": does not begin with a registry`,
				`spec.imageDigestMirrors[0].mirrors[2] is not a string`,
			},
		},
		"BadPolicy": {
			reason:     "a word that is not known must not be taken for the other",
			apiVersion: config,
			kind:       idms,
			spec:       `{"imageDigestMirrors":[{"source":"quay.io","mirrors":["m.io"],"mirrorSourcePolicy":"Never"}]}`,
			faults:     []string{`spec.imageDigestMirrors[0].mirrorSourcePolicy is "Never"`},
		},
		"MirrorsText": {
			reason:     "a text is no list",
			apiVersion: operator,
			kind:       icsp,
			spec:       `{"repositoryDigestMirrors":[{"source":"quay.io","mirrors":"m.io"}]}`,
			faults:     []string{"spec.repositoryDigestMirrors[0].mirrors is not a list"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !Is(tc.apiVersion, tc.kind) {
				t.Fatalf("%s of %s is a mirror set", tc.kind, tc.apiVersion)
			}
			got, faults := Parse(tc.apiVersion, tc.kind, []byte(`{"spec":`+tc.spec+`}`))
			if len(faults) != len(tc.faults) {
				t.Fatalf("%s: want %d faults, got %v", tc.reason, len(tc.faults), faults)
			}
			for i, want := range tc.faults {
				if text := faults[i].Path + " " + faults[i].Text; !strings.HasPrefix(text, want) {
					t.Errorf("%s\nwant %s\ngot  %s", tc.reason, want, text)
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestIs(t *testing.T) {
	t.Parallel()
	for _, other := range [][2]string{{config, icsp}, {operator, idms}, {"v1", idms}, {config, "ImageDigestMirrorSetList"}, {"", ""}} {
		if Is(other[0], other[1]) {
			t.Errorf("%v is no mirror set", other)
		}
		if _, faults := Parse(other[0], other[1], []byte(`{}`)); len(faults) == 0 {
			t.Errorf("%v cannot be read as a mirror set", other)
		}
	}
	if _, faults := Parse(config, idms, []byte(`[`)); len(faults) != 1 || !strings.Contains(faults[0].Text, "cannot be read") {
		t.Errorf("what is no JSON is an error, got %v", faults)
	}
}

// FuzzParse: any text gives rules that can be used, or faults that name a field.
func FuzzParse(f *testing.F) {
	f.Add(true, `{"spec":{"imageDigestMirrors":[{"source":"quay.io/a","mirrors":["m.io/a","quay.io/a"],"mirrorSourcePolicy":"NeverContactSource"}]}}`)
	f.Add(false, `{"spec":{"imageTagMirrors":[{"source":"*.a.io","mirrors":["m.io:5000"]},{"source":"","mirrors":null}]}}`)
	f.Add(true, `{"spec":[]}`)
	f.Add(true, `null`)
	f.Fuzz(func(t *testing.T, digest bool, text string) {
		kind := itms
		if digest {
			kind = idms
		}
		rules, faults := Parse(config, kind, []byte(text))
		if len(faults) > 0 && rules != nil {
			t.Fatalf("want faults and no rules, got %v and %v", faults, rules)
		}
		policy := Translate(rules...)
		for _, r := range rules {
			name := strings.Replace(r.Source, "*", "a", 1) + "/x"
			for _, pinned := range []bool{false, true} {
				places := policy.Places(name, pinned)
				if last := places[len(places)-1]; !last.Source || last.Name != name {
					t.Fatalf("the source is asked last: %v", places)
				}
				for _, p := range places {
					if why := v1alpha1.CheckMirror(p.Name); why != "" && v1alpha1.CheckMirror(name) == "" {
						t.Fatalf("%q of %q: %s", p.Name, name, why)
					}
				}
			}
		}
	})
}
