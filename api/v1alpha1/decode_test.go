package v1alpha1

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// golden is a GoldenImages with the given JSON as its spec.
func golden(spec string) string {
	return `{"apiVersion":"goldenarch.dev/v1alpha1","kind":"GoldenImages","metadata":{"name":"x"},"spec":` + spec + `}`
}

// data is a ConfigMap with the given JSON as its data.
func data(data string) string {
	return `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"function-input"},"data":` + data + `}`
}

func object(t *testing.T, text string) map[string]any {
	t.Helper()
	var out map[string]any
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatalf("the test's own JSON: %v", err)
	}
	return out
}

// lines returns what is wrong, one "path: text" each.
func lines(t *testing.T, err error) []string {
	t.Helper()
	if err == nil {
		return nil
	}
	var errs Errors
	if !errors.As(err, &errs) {
		t.Fatalf("the error is a %T, expected Errors: %v", err, err)
	}
	var out []string
	for _, one := range errs {
		out = append(out, one.Path+": "+one.Text)
	}
	return out
}

func TestDecodeGoldenImagesRefuses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reason, in string
		want       []string
	}{
		{
			"an unknown field names its path and the nearest field", golden(`{"exsiting":"Keep"}`),
			[]string{`spec.exsiting: unknown field "exsiting"; did you mean "existing"?`},
		},
		{
			"keys are case-sensitive, which encoding/json alone is not", golden(`{"Gate":"Keep"}`),
			[]string{`spec.Gate: unknown field "Gate"; did you mean "gate"?`},
		},
		{
			"a field deep in a list is found", golden(`{"overrides":[{"imgae":"a/b","architectures":["arm64"]}]}`),
			[]string{`spec.overrides[0].imgae: unknown field "imgae"; did you mean "image"?`},
		},
		{
			"a field like no other gets no hint", golden(`{"zzzzzzzz":1}`),
			[]string{`spec.zzzzzzzz: unknown field "zzzzzzzz"`},
		},
		{
			"expand is as strict as the rest",
			golden(`{"expand":{"replaceOnChange":"yes","dataSources":"all","namespace":"Os_Images","predefine":true}}`),
			[]string{
				`spec.expand.predefine: unknown field "predefine"; did you mean "predefined"?`,
				`spec.expand.replaceOnChange: is the string "yes", expected true or false`,
				`spec.expand.dataSources: unknown value "all": expected one of All, Reference, None; did you mean "All"?`,
				`spec.expand.namespace: is "Os_Images", expected the name of a namespace: lower-case letters, digits and dashes, at most 63`,
			},
		},
		{
			"a top-level field is named without a leading dot", `{"apiVersion":"goldenarch.dev/v1alpha1","kind":"GoldenImages","specs":{}}`,
			[]string{`specs: unknown field "specs"; did you mean "spec"?`},
		},
		{
			"1.20 without quotes is the number 1.2: a guess would be another release", golden(`{"release":1.20}`),
			[]string{`spec.release: is the number 1.2, expected a string: write it in quotes`},
		},
		{
			"YAML's yes is a bool", golden(`{"gate":true}`),
			[]string{`spec.gate: is the bool true, expected a string: write it in quotes`},
		},
		{
			"quotes do not turn a list into a string", golden(`{"gate":["Keep"]}`),
			[]string{`spec.gate: is a list, expected a string`},
		},
		{
			"a string is no list", golden(`{"allow":"amd64"}`),
			[]string{`spec.allow: is the string "amd64", expected a list`},
		},
		{
			"a string is no object", golden(`{"registry":"quay.io"}`),
			[]string{`spec.registry: is the string "quay.io", expected an object`},
		},
		{
			"a fraction is no count", golden(`{"registry":{"retries":1.5}}`),
			[]string{`spec.registry.retries: is the number 1.5, expected a whole number`},
		},
		{
			"null in a list is not nothing", golden(`{"allow":["amd64",null]}`),
			[]string{`spec.allow[1]: is null, expected a value`},
		},
		{
			"a label's value is a string", `{"apiVersion":"goldenarch.dev/v1alpha1","kind":"GoldenImages","metadata":{"labels":{"a/b":1}}}`,
			[]string{`metadata.labels[a/b]: is the number 1, expected a string: write it in quotes`},
		},
		{
			"all that is wrong is told at once: keys first, then values",
			golden(`{"exsiting":"Keep","release":1.2,"gate":"auto","allow":["sparc"],"lock":{"mode":"Required"}}`),
			[]string{
				`spec.exsiting: unknown field "exsiting"; did you mean "existing"?`,
				`spec.release: is the number 1.2, expected a string: write it in quotes`,
				`spec.allow: unknown architecture "sparc": expected one of 386, amd64, arm, arm64, loong64, mips, mips64, mips64le, mipsle, ppc64, ppc64le, riscv64, s390x`,
				`spec.gate: unknown value "auto": expected one of Auto, Enable, Disable, Keep; did you mean "Auto"?`,
				`spec.lock.mode: unknown mode "Required": expected one of Prefer, Require, Ignore; did you mean "Require"?`,
			},
		},
		{
			"a mistyped kind is told with the nearest", `{"apiVersion":"goldenarch.dev/v1alpha1","kind":"GoldenImage"}`,
			[]string{`kind: is "GoldenImage", expected "GoldenImages" of goldenarch.dev/v1alpha1 or "ConfigMap" of v1; did you mean "GoldenImages"?`},
		},
		{
			"an object without a kind is no configuration", `{}`,
			[]string{`kind: is "", expected "GoldenImages" of goldenarch.dev/v1alpha1 or "ConfigMap" of v1`},
		},
		{
			"another version of the kind is not read as this one", `{"apiVersion":"goldenarch.dev/v1","kind":"GoldenImages"}`,
			[]string{`apiVersion: is "goldenarch.dev/v1", expected "goldenarch.dev/v1alpha1"`},
		},
		{
			"a ConfigMap of another group is none", `{"apiVersion":"v2","kind":"ConfigMap"}`,
			[]string{`apiVersion: of a ConfigMap is "v2", expected "v1"`},
		},
		{
			"an unknown key of the data names the nearest", data(`{"workload":"amd64","Release":"1.18"}`),
			[]string{
				`data.Release: unknown key "Release"; did you mean "release"?`,
				`data.workload: unknown key "workload"; did you mean "workloads"?`,
			},
		},
		{
			"the data of a ConfigMap is strings", data(`{"release":1.18}`),
			[]string{`data.release: is the number 1.18, expected a string: write it in quotes`},
		},
		{
			"a wrong value is told where the user wrote it", data(`{"gate":"auto","workloadArchitectures":"amd64,sparc","exsiting":"Keep"}`),
			[]string{
				`data.exsiting: unknown key "exsiting"; did you mean "existing"?`,
				`data.workloadArchitectures: unknown architecture "sparc": expected one of 386, amd64, arm, arm64, loong64, mips, mips64, ` +
					`mips64le, mipsle, ppc64, ppc64le, riscv64, s390x`,
				`data.gate: unknown value "auto": expected one of Auto, Enable, Disable, Keep; did you mean "Auto"?`,
			},
		},
		{
			"a number that is none is told once", data(`{"registryConcurrency":"many"}`),
			[]string{`data.registryConcurrency: "many" is not a whole number: invalid syntax`},
		},
		{
			"a list with a hole is a slip, not a shorter list", data(`{"allow":"amd64,,arm64"}`),
			[]string{`data.allow: the list "amd64,,arm64" has an empty element`},
		},
		{
			"a ConfigMap has nothing beside its data", `{"apiVersion":"v1","kind":"ConfigMap","date":{}}`,
			[]string{`date: unknown field "date"; did you mean "data"?`},
		},
	} {
		t.Run(test.reason, func(t *testing.T) {
			t.Parallel()
			got, err := DecodeGoldenImages(object(t, test.in))
			if got != nil {
				t.Errorf("a refused configuration is returned: %+v", got)
			}
			if diff := cmp.Diff(test.want, lines(t, err)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.reason, diff)
			}
		})
	}
}

func TestDecodeGoldenImagesReads(t *testing.T) {
	t.Parallel()
	defaults := func(edit func(*GoldenImagesSpec)) GoldenImagesSpec {
		var spec GoldenImagesSpec
		spec.Default()
		edit(&spec)
		return spec
	}
	for _, test := range []struct {
		reason, in string
		want       GoldenImagesSpec
	}{
		{"no spec is the defaults", `{"apiVersion":"goldenarch.dev/v1alpha1","kind":"GoldenImages"}`, defaults(func(*GoldenImagesSpec) {})},
		{"null is the same as nothing", golden(`{"gate":null,"registry":{"retries":null}}`), defaults(func(*GoldenImagesSpec) {})},
		{"an empty word is the same as none", golden(`{"gate":"","release":"","registry":{"timeout":""}}`), defaults(func(*GoldenImagesSpec) {})},
		{
			"metadata may have what Kubernetes has, and is not read in another case",
			`{"apiVersion":"goldenarch.dev/v1alpha1","kind":"GoldenImages","metadata":{"uid":"1","Labels":5}}`, defaults(func(*GoldenImagesSpec) {}),
		},
		{
			"kpt's ConfigMap without data is the defaults", `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"function-input"}}`,
			defaults(func(*GoldenImagesSpec) {}),
		},
		{"a ConfigMap with empty data is the defaults", data(`{}`), defaults(func(*GoldenImagesSpec) {})},
		{"no retry is not the default", golden(`{"registry":{"retries":0}}`), defaults(func(s *GoldenImagesSpec) { *s.Registry.Retries = 0 })},
		{
			reason: "lists and modes of a ConfigMap, blanks trimmed",
			in:     data(`{"workloadArchitectures":" amd64 , arm64","expand":"None","lock":"Ignore","registryRetries":"0","registryInsecure":"r:5000"}`),
			want: defaults(func(s *GoldenImagesSpec) {
				s.Cluster.WorkloadArchitectures = []string{"amd64", "arm64"}
				s.Lock.Mode = LockIgnore
				*s.Registry.Retries = 0
				s.Registry.Insecure = []string{"r:5000"}
			}),
		},
		{"an empty list of a ConfigMap says nothing", data(`{"allow":" "}`), defaults(func(*GoldenImagesSpec) {})},
		{"what a person writes stays as written", golden(`{"release":"v1.18.1","allow":["X86_64"]}`), defaults(func(s *GoldenImagesSpec) {
			s.Release, s.Allow = "v1.18.1", []string{"X86_64"}
		})},
		{
			reason: "the table of templates has CDI's fields",
			in: golden(`{"predefinedTemplates":[{"name":"a","managedDataSource":"d",` +
				`"registry":{"url":"docker://q/a","platform":{"architecture":"arm64"}},"architectures":["arm64"]}]}`),
			want: defaults(func(s *GoldenImagesSpec) {
				s.PredefinedTemplates = []PredefinedTemplate{{
					Name: "a", ManagedDataSource: "d", Architectures: []string{"arm64"},
					Registry: RegistrySource{URL: "docker://q/a", Platform: &PlatformOptions{Architecture: "arm64"}},
				}}
			}),
		},
	} {
		t.Run(test.reason, func(t *testing.T) {
			t.Parallel()
			got, err := DecodeGoldenImages(object(t, test.in))
			if err != nil {
				t.Fatalf("%s: %v", test.reason, err)
			}
			if diff := cmp.Diff(test.want, got.Spec); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.reason, diff)
			}
		})
	}
}

func TestDecodeNothingIsTheDefaults(t *testing.T) {
	t.Parallel()
	var want GoldenImages
	want.Spec.Default()
	got, err := DecodeGoldenImages(nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&want, got); diff != "" {
		t.Errorf("nil (-want +got):\n%s", diff)
	}
}

// Map order is random; 50 rounds would show an order that depends on it.
func TestErrorsKeepTheirOrder(t *testing.T) {
	t.Parallel()
	in := object(t, golden(`{"b":1,"a":1,"gate":"x","allow":1,"release":2,"registry":{"c":1,"timeout":3}}`))
	_, err := DecodeGoldenImages(in)
	for range 50 {
		if _, again := DecodeGoldenImages(in); again == nil || again.Error() != err.Error() {
			t.Fatalf("first %v, then %v", err, again)
		}
	}
	if got := strings.Count(err.Error(), "; "); got < 6 {
		t.Errorf("expected all errors in one line, joined: %v", err)
	}
}
