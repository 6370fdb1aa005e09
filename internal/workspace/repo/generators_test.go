package repo

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/finding"
)

// unfollowed says in a test that what applies a directory is named in the summary.
const isUnfollowed = "unfollowed"

// TestGenerators: which directories the Applications of an ApplicationSet have. What goldenarch does not know is named.
func TestGenerators(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ reason, generators, path, want string }{
		{"Argo CD skips the root and hidden directories", "[{git: {directories: [{path: '*'}]}}]", "{{path}}", "apps clusters"},
		{"* matches one directory", "[{git: {directories: [{path: clusters/*}]}}]", "{{path}}", "clusters/Prod_A clusters/lab"},
		{"with Go templates", "[{git: {directories: [{path: clusters/*}]}}]", "{{- .path.path -}}", "clusters/Prod_A clusters/lab"},
		{
			"an entry excludes, in any order",
			"[{git: {directories: [{path: clusters/lab, exclude: true}, {path: clusters/*}]}}]",
			"{{path}}",
			"clusters/Prod_A",
		},
		{"parts of the path", "[{git: {directories: [{path: clusters/l*}]}}]", "{{path[0]}}/{{path.basename}}", "clusters/lab"},
		{"a name that goldenarch does not make", "[{git: {directories: [{path: clusters/P*}]}}]", "x/{{path.basenameNormalized}}", isUnfollowed},
		{"a prefix", "[{git: {pathParamPrefix: my, directories: [{path: clusters/l*}]}}]", "{{my.path}}", isUnfollowed},
		{"of another repository", "[{git: {repoURL: 'https://x/other.git', directories: [{path: clusters/*}]}}]", "{{path}}", isUnfollowed},
		{"files are not read", "[{git: {files: [{path: '*.json'}]}}]", "{{path}}", isUnfollowed},
		{"two lists", "[{list: {elements: [{dir: a}]}}, {list: {elements: [{dir: b}]}}]", "{{dir}}", "a b"},
		{"a value in an object", "[{list: {elements: [{values: {dir: a}}]}}]", "{{ .values.dir }}", "a"},
		{"one directory of two elements", "[{list: {elements: [{dir: a}, {dir: a}]}}]", "{{dir}}", "a"},
		{"which a selector keeps is not known", "[{list: {elements: [{dir: a}, {dir: b}]}, selector: {matchLabels: {dir: a}}}]", "{{dir}}", isUnfollowed},
		{"a list, and files", "[{list: {elements: [{dir: a}]}}, {git: {files: [{path: '*.json'}]}}]", "{{dir}}", "a unfollowed"},
		{"clusters that all get one directory", "[{clusters: {}}]", "a", "a"},
		{"clusters that get their own", "[{clusters: {}}]", "clusters/{{name}}", isUnfollowed},
		{"elements without the value", "[{list: {elements: [{dir: a}, {other: b}]}}]", "{{dir}}", "a unfollowed"},
		{"more elements in a text", "[{list: {elements: [{dir: a}], elementsYaml: '[{dir: b}]'}}]", "{{dir}}", "a unfollowed"},
		{"a product", "[{matrix: {generators: [{list: {elements: [{dir: a}]}}, {clusters: {}}]}}]", "{{dir}}", isUnfollowed},
		{"a product for one directory", "[{matrix: {generators: [{list: {elements: [{dir: a}]}}, {clusters: {}}]}}]", "b", "b"},
		{"generators that are merged", "[{merge: {mergeKeys: [dir], generators: [{list: {elements: [{dir: a}]}}]}}]", "{{dir}}", isUnfollowed},
		{"decisions, pull requests and plugins", "[{clusterDecisionResource: {}}, {pullRequest: {}}, {plugin: {}}]", "{{dir}}", isUnfollowed},
		{"a generator with a source of its own", "[{list: {elements: [{dir: a}], template: {spec: {source: {path: b}}}}}]", "{{dir}}", isUnfollowed},
		{"one with other fields of its own", "[{list: {elements: [{dir: a}], template: {spec: {project: x, source: {path: ''}}}}}]", "{{dir}}", "a"},
		{"an empty template", "[{list: {elements: [{dir: a}], template: {metadata: {}, spec: {destination: {}}}}}]", "{{dir}}", "a"},
		{"blocks of a template engine", "[{list: {elements: [{dir: a}]}}]", "{{ index .path.segments 1 }}", isUnfollowed},
	} {
		root := t.TempDir()
		write(t, root, ".git/config", "[remote \"origin\"]\n\turl = https://x/fleet.git\n")
		write(t, root, "apps/set.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: a}\nspec:\n  generators: "+tc.generators+
			"\n  template: {spec: {source: {repoURL: '{{url}}', path: '"+tc.path+"'}}}\n")
		for _, dir := range []string{".", "clusters/Prod_A", "clusters/lab", "clusters/lab/deep", ".hidden", "a", "b"} {
			write(t, root, dir+"/a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n")
		}
		layout, err := Scan(root, Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range layout.Routes {
			below, err := filepath.Rel(root, r.dir)
			if err != nil {
				t.Fatal(err)
			}
			if dir := filepath.ToSlash(below); tc.want != "apps clusters" || dir != "a" && dir != "b" {
				got = append(got, dir)
			}
		}
		if len(layout.Unfollowed) > 0 {
			got = append(got, isUnfollowed)
		}
		if diff := cmp.Diff(tc.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}

// TestTooManyApplications: what goldenarch does not follow is a warning, and it follows the rest.
func TestTooManyApplications(t *testing.T) {
	t.Parallel()
	list := func(n int) string {
		elements := make([]string, n)
		for i := range elements {
			elements[i] = fmt.Sprintf("{a: '%d'}", i)
		}
		return "[{list: {elements: [" + strings.Join(elements, ", ") + "]}}]"
	}
	const cr = "apiVersion: hco.kubevirt.io/v1\nkind: HyperConverged\nmetadata: {name: kubevirt-hyperconverged}\n"
	for _, tc := range []struct {
		reason, generators, path string
		more                     string
		cut                      bool
	}{
		{"as many as goldenarch follows", list(2_000), "{{a}}", "", false},
		{"a source that is long", list(2_000), "{{a}}", strings.Repeat("x", 10_000), true},
		{
			"values of helm, which nobody reads",
			list(2_000),
			"{{a}}",
			"', helm: {values: &v \"" + strings.Repeat("a: b\\n", 4000) + "\", parameters: [{name: a, value: *v}]}, ref: '",
			false,
		},
		{
			"generators that name each directory",
			strings.Repeat("{git: {directories: [{path: '*'}, {path: '*/*'}]}}, ", 30_000),
			"{{path.basename}}",
			"",
			true,
		},
	} {
		root := t.TempDir()
		generators := "[" + strings.Trim(tc.generators, "[], ") + "]"
		write(t, root, "apps/set.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: fleet}\nspec:\n  generators: "+generators+
			"\n  template: {spec: {source: {path: 'clusters/"+tc.path+"', ref: '"+tc.more+"'}}}\n")
		write(t, root, "clusters/0/hco.yaml", cr)
		layout, err := Scan(root, Options{})
		if err != nil {
			t.Fatal(err)
		}
		cut := len(layout.Found) == 1 && layout.Found[0].ID == finding.ApplicationsCut && strings.HasSuffix(layout.Found[0].Object.File, "apps/set.yaml")
		if cut != tc.cut || len(layout.Found) > 1 || cut && len(layout.Unfollowed) != 1 {
			t.Errorf("%s: found %v, unfollowed %v", tc.reason, layout.Found, layout.Unfollowed)
		}
		if len(layout.Places) != 1 || layout.Places[0].Path != filepath.Join(root, "clusters", "0") {
			t.Errorf("%s: want the directory that the first Applications apply, got %v", tc.reason, layout.Places)
		}
	}
}
