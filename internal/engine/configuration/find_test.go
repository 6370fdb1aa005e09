package configuration

import (
	"fmt"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
)

// goldenImages is a configuration in YAML.
func goldenImages(name, spec string) string {
	return "{apiVersion: goldenarch.dev/v1alpha1, kind: GoldenImages, metadata: {name: " + name + "}, spec: " + spec + "}"
}

// parsed returns YAML documents as items.
func parsed(list ...string) []*yaml.RNode {
	var out []*yaml.RNode
	for _, text := range list {
		out = append(out, yaml.MustParse(text))
	}
	return out
}

// TestFindConfig: the one given counts, else the one among the items, else the
// defaults; two are an error.
func TestFind(t *testing.T) {
	t.Parallel()
	replace, fail := goldenImages("a", "{existing: Replace}"), goldenImages("b", "{unsupported: Fail}")
	for _, tc := range []struct {
		reason string
		given  string
		items  []string
		want   string // existing and unsupported, or the ids of the findings
	}{
		{"the defaults", "", nil, "Narrow Disable"},
		{"the one given", replace, nil, "Replace Disable"},
		{"the one among the items", "", []string{"{apiVersion: v1, kind: ConfigMap}", fail}, "Narrow Fail"},
		{"one in a List", "", []string{"{apiVersion: v1, kind: List, items: [" + fail + "]}"}, "Narrow Fail"},
		{"two among the items", "", []string{replace, fail}, "GA004"},
		{"the same twice among the items", "", []string{replace, replace}, "GA004"},
		{"one given and another among the items", replace, []string{fail}, "GA004"},
		{"a ConfigMap given", "{apiVersion: v1, kind: ConfigMap, data: {existing: Keep}}", nil, "Keep Disable"},
		{"an empty one given states nothing", "{apiVersion: v1, kind: ConfigMap, metadata: {name: function-input}, data: {}}", []string{fail}, "Narrow Fail"},
		{"nor does one without data", "{apiVersion: v1, kind: ConfigMap, data: null}", []string{fail}, "Narrow Fail"},
		{"one that misspells data", "{apiVersion: v1, kind: ConfigMap, dat: {existing: Keep}}", nil, "GA005 dat"},
		{"a ConfigMap among the items is the user's", "", []string{"{apiVersion: v1, kind: ConfigMap, data: {existing: Keep}}"}, "Narrow Disable"},
		{"an unknown key", goldenImages("a", "{existng: Keep}"), nil, "GA005 spec.existng"},
		{"all that is wrong at once", goldenImages("a", "{existing: keep, gate: Always}"), nil, "GA005 spec.existing, GA005 spec.gate"},
		{"a mode of the lock that is none", goldenImages("a", "{lock: {mode: Required}}"), nil, "GA005 spec.lock.mode"},
		{"another kind", "{apiVersion: v1, kind: Secret}", nil, "GA005 kind"},
		{"a version that is none", strings.Replace(replace, "v1alpha1", "v1", 1), nil, "GA005 apiVersion"},
		{"no object", "x", nil, "GA005 "},
		{"a list", "[a]", nil, "GA005 "},
		{"an empty list is no configuration either", "[]", nil, "GA005 "},
		{"an empty text neither", `""`, nil, "GA005 "},
		{"null is none", "null", nil, "Narrow Disable"},
		{"nor is an object without a word", "{}", nil, "Narrow Disable"},
		{"a spec that is no object", goldenImages("a", "x"), nil, "GA005 spec"},
		{"a spec that is a list", goldenImages("a", "[]"), nil, "GA005 spec"},
		{"data that are no object", "{apiVersion: v1, kind: ConfigMap, data: x}", nil, "GA005 data"},
	} {
		var given *yaml.RNode
		if tc.given != "" {
			given = yaml.MustParse(tc.given)
		}
		config, found := Source{}.findAll(given, object.All(parsed(tc.items...)))
		if got := shown(config, found); got != tc.want {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
		}
	}
}

func shown(config *Config, found finding.List) string {
	if !found.Failed() {
		return fmt.Sprintf("%s %s", config.Spec.Existing, config.Spec.Unsupported)
	}
	var list []string
	for _, f := range found {
		if f.ID == finding.Duplicate {
			list = append(list, string(f.ID))
			continue
		}
		list = append(list, string(f.ID)+" "+f.Field)
	}
	return strings.Join(list, ", ")
}

// TestEmptyConfigMapAmongPackages: kpt passes an empty ConfigMap, and the configuration of its own package counts.
func TestEmptyConfigMapAmongPackages(t *testing.T) {
	t.Parallel()
	place := func(text, dir string) string {
		return strings.Replace(text, "metadata: {", "metadata: {annotations: {internal.config.kubernetes.io/package-path: "+dir+"}, ", 1)
	}
	items := parsed(place(goldenImages("a", "{existing: Replace}"), "/p"), place(goldenImages("b", "{unsupported: Fail}"), "/p/below"))
	config, found := Source{}.findAll(yaml.MustParse("{apiVersion: v1, kind: ConfigMap, data: {}}"), object.All(items))
	if got := shown(config, found); got != "Replace Disable" {
		t.Errorf("got %q", got)
	}
}

// TestConfigGivenAsAnItem: kpt passes the functionConfig as an item as well, a
// node of its own.
func TestConfigGivenAsAnItem(t *testing.T) {
	t.Parallel()
	text := goldenImages("a", "{existing: Replace}")
	config, found := Source{}.findAll(yaml.MustParse(text), object.All(parsed(text)))
	if got := shown(config, found); got != "Replace Disable" {
		t.Errorf("one object is no two configurations: got %q", got)
	}
}

// TestSharedSettings: what a GoldenImages and a WorkloadArchitectures both state counts for both,
// so it must be the same.
func TestSharedSettings(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ reason, golden, workloads, want string }{
		{"the same lock", "{lock: {mode: Require}}", "{lock: {mode: Require}}", ""},
		{"the default is written out", "{}", "{lock: {mode: Prefer}}", ""},
		{"another mode", "{lock: {mode: Require}}", "{lock: {mode: Prefer}}", "GA005 spec.lock"},
		{"a registry of its own", "{}", "{registry: {insecure: [registry.example]}}", "GA005 spec.registry"},
		{"the same registry", "{registry: {insecure: [registry.example]}}", "{registry: {insecure: [registry.example]}}", ""},
		{"other files, and another lock", "{inputs: [a.yaml]}", "{inputs: [b.yaml], lock: {mode: Require}}", "GA005 spec.inputs, GA005 spec.lock"},
		{"the WorkloadArchitectures states nothing", "{inputs: [a.yaml], lock: {mode: Require}}", "{}", ""},
	} {
		workloads := strings.Replace(goldenImages("w", tc.workloads), "GoldenImages", "WorkloadArchitectures", 1)
		config, found := Source{}.findAll(nil, object.All(parsed(goldenImages("g", tc.golden), workloads)))
		got := ""
		if found.Failed() {
			got = shown(config, found)
		}
		if got != tc.want {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
		}
	}
}

// TestConfigWords: what is wrong is reported in the words of YAML.
func TestConfigWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"x":                            `the configuration is the value "x", expected an object. Pass a GoldenImages or a ConfigMap`,
		"[a]":                          "the configuration is a list, expected an object. Pass a GoldenImages or a ConfigMap",
		goldenImages("a", "x"):         `is the string "x", expected an object`,
		goldenImages("a", "{lock: 1}"): "is the number 1, expected an object",
	} {
		_, found := Source{}.findAll(yaml.MustParse(text), nil)
		if len(found) != 1 || found[0].Message() != want {
			t.Errorf("%s: want %q, got %s", text, want, found)
		}
	}
}

// TestConfigLine: a finding about a file names the line.
func TestConfigLine(t *testing.T) {
	t.Parallel()
	given := yaml.MustParse("apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata:\n  name: a\nspec:\n  gate: Auto\n  existing: Nothing\n")
	_, found := Source{}.findAll(given, nil)
	if len(found) != 1 || found[0].Line != 7 {
		t.Errorf("want one finding at line 7, got %+v", found)
	}
}

// TestOptionsWin: the options are laid over the configuration, and what is wrong
// with one is reported by its flag.
func TestOptionsWin(t *testing.T) {
	t.Parallel()
	f := Source{Options: Options{
		Application: map[string]string{"unsupported": "Disable", "existing": "Narrow"},
		Flags:       map[string]string{"unsupported": "Keep"},
	}}
	config, found := f.find(yaml.MustParse(goldenImages("a", "{existing: Replace, unsupported: Fail}")), nil)
	if got := shown(config, found); got != "Narrow Keep" {
		t.Errorf("want Narrow of the Application and Keep of the flag, got %q", got)
	}
	for name, tc := range map[string]struct {
		options Options
		want    string
	}{
		"AValue":      {Options{Flags: map[string]string{"gate": "Sometimes"}}, `"Sometimes"`},
		"AName":       {Options{Flags: map[string]string{"releese": "1.19"}}, "releese"},
		"AnArgoName":  {Options{Application: map[string]string{"gates": "Auto"}}, "gates"},
		"OfflineLock": {Options{Flags: map[string]string{"lock": "Ignore"}, Offline: true}, "--offline and --set lock=Ignore contradict"},
	} {
		f := Source{Options: tc.options}
		if _, found := f.find(nil, nil); !found.Failed() || !strings.Contains(found.String(), tc.want) {
			t.Errorf("%s: want an error with %s, got %s", name, tc.want, found)
		}
	}
	f = Source{Options: Options{Flags: map[string]string{"gate": "Sometimes"}}}
	if _, found := f.find(yaml.MustParse(goldenImages("a", "{x: y}")), nil); !found.Failed() || strings.Contains(found.String(), "Sometimes") {
		t.Errorf("over a configuration that cannot be read nothing is laid, got %s", found)
	}
}

// TestRegistryTimeout: what the host has as its default gives way to what a person says.
func TestRegistryTimeout(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ reason, given, flag, want string }{
		{"nobody says it", goldenImages("a", "{existing: Replace}"), "", "40s"},
		{"there is no configuration", "", "", "40s"},
		{"the configuration says it", goldenImages("a", "{registry: {timeout: 2m}}"), "", "2m"},
		{"a ConfigMap says it", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {registryTimeout: 2m}\n", "", "2m"},
		{"a flag says it", goldenImages("a", "{registry: {timeout: 2m}}"), "3m", "3m"},
	} {
		var given *yaml.RNode
		if tc.given != "" {
			given = yaml.MustParse(tc.given)
		}
		s := Source{Options: Options{RegistryTimeout: "40s"}}
		if tc.flag != "" {
			s.Options.Flags = map[string]string{"registry-timeout": tc.flag}
		}
		config, found := s.find(given, nil)
		if found.Failed() {
			t.Fatalf("%s: %s", tc.reason, found)
		}
		if got := config.Spec.Registry.Timeout; got != tc.want {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
		}
	}
}
