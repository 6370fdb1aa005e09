package cli

import (
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// nested returns a text as the value of the keys a and b of a values file.
func nested(text string) string {
	var out strings.Builder
	out.WriteString("# values\na:\n  - 1\n  - b:\n")
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			line = "      " + line
		}
		out.WriteString(line)
	}
	return out.String()
}

// TestCRPathEditsAsInAFile: what fix writes at a place inside a file is, byte for byte,
// what it writes into a file that has the same CR alone.
func TestCRPathEditsAsInAFile(t *testing.T) {
	t.Parallel()
	held := 0
	for _, dir := range []string{"four_blanks_and_comments", "empty_spec", "flow_style", "anchors_elsewhere", "dump_with_template", "spec_null_kind_first"} {
		tree := repository(t, filepath.Join("testdata", "fix", dir))
		text := golden(t, filepath.Join("testdata", "fix", dir, "tree"), "hyperconverged.yaml")
		if _, after, has := strings.Cut(text, "\n---\n"); has {
			text = after
		}
		values := filepath.Join(tree, "values", "values.yaml")
		alone := filepath.Join(tree, "hyperconverged.yaml")
		filetest.Write(t, "", map[string]string{values: nested(text), alone: text})
		succeeds(t, tree, "fix", "hyperconverged.yaml", "--config", "golden-images.yaml")
		rendered, messages, status := runIn(t, tree, "render", "--cr-path", "values/values.yaml#a[1].b", "--config", "golden-images.yaml")
		if status != statusOK {
			t.Fatalf("%s: status %d\n%s", dir, status, messages)
		}
		succeeds(t, tree, "fix", "--cr-path", "values/values.yaml#a[1].b", "--config", "golden-images.yaml")
		want := nested(golden(t, tree, "hyperconverged.yaml"))
		if diff := cmp.Diff(want, golden(t, filepath.Dir(values), "values.yaml")); diff != "" {
			t.Errorf("%s: fix (-in a file +at a place):\n%s", dir, diff)
		}
		if diff := cmp.Diff(want, rendered); diff != "" {
			t.Errorf("%s: render (-in a file +at a place):\n%s", dir, diff)
		}
		if want != nested(text) {
			held++
		}
	}
	if held < 5 {
		t.Errorf("want at least 5 files that change, got %d", held)
	}
}

// TestCRPathInEveryVerb: each verb says of a CR at a place what it says of the same CR in a
// file of its own, but for the name of the file and the lines.
func TestCRPathInEveryVerb(t *testing.T) {
	t.Parallel()
	const source = "testdata/customize/customized_already"
	tree := repository(t, source)
	text := golden(t, filepath.Join(source, "tree"), "hyperconverged.yaml")
	filetest.File(t, filepath.Join(tree, "values.yaml"), nested(text))
	place := regexp.MustCompile(`(?:hyperconverged|values)\.yaml(?::\d+)?|line \d+`)
	for _, args := range [][]string{
		{"check", "--offline", "--workload-architectures", "amd64,arm64"},
		{"check", "--offline", "--workload-architectures", "amd64", "-o", "markdown"},
		{"forecast", "--workload-architectures", "amd64,arm64"},
		{"lock", "--check", "--file", "other.lock.yaml", "--registry-allow", "none.example"},
		{"fix", "--check", "--offline", "--workload-architectures", "amd64,arm64"},
	} {
		out, messages, status := runIn(t, tree, append(args, "hyperconverged.yaml")...)
		outPlace, messagesPlace, statusPlace := runIn(t, tree, append(args, "--cr-path", "values.yaml#a[1].b")...)
		if !strings.Contains(out+messages, "fedora-image-cron") {
			t.Errorf("%v: want what the verb says of the template, got\n%s%s", args, out, messages)
		}
		outPlace = strings.ReplaceAll(outPlace, "--cr-path 'values.yaml#a[1].b'", "values.yaml") // in the command that it advises
		want, got := place.ReplaceAllString(out+messages, "FILE"), place.ReplaceAllString(outPlace+messagesPlace, "FILE")
		if diff := cmp.Diff(want, got); diff != "" || status != statusPlace {
			t.Errorf("%v: %d and %d (-in a file +at a place):\n%s", args, status, statusPlace, diff)
		}
	}
}

// TestCRPathTwice: a place that two flags name is one place.
func TestCRPathTwice(t *testing.T) {
	t.Parallel()
	tree := writeTree(t, map[string]string{"values.yaml": nested(unstated)})
	args := []string{
		"render", "--release", "1.19", "--workload-architectures", "amd64", "--image", "registry.example/acme/a:1=amd64",
		"--cr-path", "values.yaml#a[1].b",
	}
	want, messages, status := runIn(t, tree, args...)
	if status != statusOK {
		t.Fatal(messages)
	}
	for _, place := range []string{"values.yaml#a[1].b", "./values.yaml#.a[1].b", filepath.Join(tree, "values.yaml") + "#/a/1/b"} {
		got, messages, status := runIn(t, tree, append(args, "--cr-path", place)...)
		if diff := cmp.Diff(want, got); diff != "" || status != statusOK {
			t.Errorf("%s: status %d\n%s\n%s", place, status, diff, messages)
		}
	}
}

// TestCRPathMisuse: a place that cannot be read as one is misuse, and so is a Fleet.
func TestCRPathMisuse(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"render", "--cr-path", "values.yaml"},
		{"check", "--cr-path", "values.yaml#a..b"},
		{"fix", "--cr-path", "v.yaml#a", "--fleet", "goldenarch.yaml"},
	} {
		if _, messages, status := runIn(t, t.TempDir(), args...); status != statusMisuse || !strings.Contains(messages, "--cr-path") {
			t.Errorf("%v: status %d\n%s", args, status, messages)
		}
	}
}

// treeWithValues writes three CRs inside of files: one in a directory, and two in the values of a
// chart, one of them only a spec. The Fleet states the nodes of all, and also the places if
// places is true.
func treeWithValues(t *testing.T, places bool) string {
	t.Helper()
	tree := t.TempDir()
	_, spec, _ := strings.Cut(unstated, "\nspec:\n")
	states := "apiVersion: goldenarch.dev/v1alpha1\nkind: Fleet\nmetadata: {name: f}\nclusters:\n"
	for _, entry := range [][2]string{{`"clusters/*/values.yaml", charts/hco/values.yaml`, "a[1].b"}, {"charts/hco/values/prod.yaml", "a[1].b@v1beta1"}} {
		states += "- paths: [" + entry[0] + "]\n  workloadArchitectures: [amd64, arm64]\n  controlPlaneArchitectures: [amd64]\n  release: \"1.19\"\n"
		if places {
			states += "  crPath: " + entry[1] + "\n"
		}
	}
	filetest.Write(t, tree, map[string]string{
		".git/HEAD": "ref: refs/heads/main\n", "goldenarch.yaml": states, "clusters/one/values.yaml": nested(unstated), "charts/hco/values.yaml": nested(unstated),
		"charts/hco/values/prod.yaml": nested(spec), "charts/hco/Chart.yaml": "apiVersion: v2\nname: hco\nversion: 0.1.0\n",
		"charts/hco/templates/hco.yaml": "{{ toYaml (index .Values.a 1).b }}\n# kind: HyperConverged\n",
	})
	return tree
}

// TestCRPathOfFleet: what a Fleet states as the place of a CR is what --cr-path names, for every
// verb, for a file, a directory and the whole repository.
func TestCRPathOfFleet(t *testing.T) {
	t.Parallel()
	const inDirectory, inChart, specInChart = "clusters/one/values.yaml#a[1].b", "charts/hco/values.yaml#a[1].b", "charts/hco/values/prod.yaml#a[1].b@v1beta1"
	image := []string{"--offline", "--image", "registry.example/acme/a:1=amd64,arm64"}
	untouched := treeWithValues(t, true)
	for _, tc := range []struct {
		reason string
		verb   []string
		path   string
		places []string
		writes bool
	}{
		{"render of a file", []string{"render"}, "clusters/one/values.yaml", []string{inDirectory}, false},
		{"render of a spec in a chart", []string{"render"}, "charts/hco/values/prod.yaml", []string{specInChart}, false},
		{"check of a file", []string{"check"}, "clusters/one/values.yaml", []string{inDirectory}, false},
		{"forecast of a file", []string{"forecast"}, "charts/hco/values.yaml", []string{inChart}, false},
		{"fix of a file", []string{"fix"}, "clusters/one/values.yaml", []string{inDirectory}, true},
		{"fix of a directory", []string{"fix"}, "clusters", []string{inDirectory}, true},
		{"fix of a chart", []string{"fix"}, "charts/hco", []string{inChart, specInChart}, true},
		{"fix of the repository", []string{"fix"}, ".", []string{inDirectory, inChart, specInChart}, true},
		{"customize of a file", []string{"customize", "a", "--disable"}, "clusters/one/values.yaml", []string{inDirectory}, true},
		{"customize of a directory", []string{"customize", "a", "--disable"}, "clusters", []string{inDirectory}, true},
	} {
		byFleet, byFlag := treeWithValues(t, true), treeWithValues(t, false)
		args := slices.Clone(tc.verb)
		if tc.verb[0] != "forecast" && tc.verb[0] != "customize" {
			args = append(args, image...)
		}
		out, messages, status := runIn(t, byFleet, append(args, tc.path)...)
		var outs, others string
		var otherStatus int
		for _, place := range tc.places {
			outs, others, otherStatus = runIn(t, byFlag, append(args, "--cr-path", place)...)
			if otherStatus != status {
				t.Errorf("%s: status %d, and %d with --cr-path %s\n%s%s\n%s%s", tc.reason, status, otherStatus, place, out, messages, outs, others)
			}
		}
		if status == statusMisuse || strings.Contains(out+messages, "GA851") {
			t.Errorf("%s: status %d\n%s%s", tc.reason, status, out, messages)
		}
		if diff := cmp.Diff(outs, out); diff != "" && !tc.writes && tc.verb[0] != "check" {
			t.Errorf("%s (-by --cr-path +by the Fleet):\n%s", tc.reason, diff)
		}
		changed := 0
		for _, place := range []string{inDirectory, inChart, specInChart} {
			file, _, _ := strings.Cut(place, "#")
			want, got := golden(t, byFlag, file), golden(t, byFleet, file)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: %s (-by --cr-path +by the Fleet):\n%s", tc.reason, file, diff)
			}
			if got != golden(t, untouched, file) {
				changed++
			}
		}
		if want := len(tc.places); tc.writes && changed != want || !tc.writes && changed > 0 {
			t.Errorf("%s: %d files changed\n%s%s", tc.reason, changed, out, messages)
		}
	}
}

// TestCRPathOfFleetInARepository: check names each file once, with its verdict, and is green after fix.
func TestCRPathOfFleetInARepository(t *testing.T) {
	t.Parallel()
	tree := treeWithValues(t, true)
	image := []string{"--offline", "--image", "registry.example/acme/a:1=amd64,arm64"}
	for _, path := range []string{".", "charts/hco"} {
		out, messages, _ := runIn(t, tree, append(append([]string{"check"}, image...), path)...)
		for _, file := range []string{"charts/hco/values.yaml", "charts/hco/values/prod.yaml"} {
			if n := len(regexp.MustCompile(`(?m)^`+regexp.QuoteMeta(file)+` +(Not)?Right`).FindAllString(out, -1)); n != 1 {
				t.Errorf("check %s: %s is in the summary %d times\n%s%s", path, file, n, out, messages)
			}
		}
		if strings.Contains(out+messages, "GA002") {
			t.Errorf("check %s: the CR of the chart is checked, so no finding may say that goldenarch skips the chart\n%s%s", path, out, messages)
		}
	}
	for _, verb := range []string{"fix", "check"} {
		args := append([]string{verb, "."}, image...)
		if out, messages, status := runIn(t, tree, args...); status != statusOK {
			t.Errorf("%v: status %d\n%s%s", args, status, out, messages)
		}
	}
}

// TestFixThatCheckAdvises: what a check of a part of a file advises writes what it misses.
func TestFixThatCheckAdvises(t *testing.T) {
	t.Parallel()
	dir := writeTree(t, map[string]string{"values.yaml": "hyperconverged:\n  cr:\n    apiVersion: hco.kubevirt.io/v1beta1\n    kind: HyperConverged\n" +
		"    metadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged}\n    spec: {}\n"})
	args := []string{
		"check", "--cr-path", "values.yaml#hyperconverged.cr", "--release", "1.19", "--offline", "--workload-architectures", "amd64,arm64",
		"--control-plane-architectures", "amd64",
	}
	messages, _, status := runIn(t, dir, args...)
	command, ok := adviceOf(messages)
	if status != statusFailed || !ok {
		t.Fatalf("%v: status %d\n%s", args, status, messages)
	}
	succeeds(t, dir, strings.Fields(strings.ReplaceAll(command, "'", ""))...)
	if messages, _, status := runIn(t, dir, args...); status != statusOK {
		t.Fatalf("%v: status %d\n%s", args, status, messages)
	}
}

// TestPlaceBesideADirectory: the CR at a place that --cr-path names was read, so nothing asks for it where a directory is named, too.
func TestPlaceBesideADirectory(t *testing.T) {
	t.Parallel()
	cr := func(name string) string {
		return name + ":\n  featureGates: {enableMultiArchBootImageImport: true}\n  dataImportCronTemplates: [{metadata: {name: a}}]\n"
	}
	const fleet = "apiVersion: goldenarch.dev/v1alpha1\nkind: Fleet\nmetadata: {name: f}\nclusters: [{paths: [values.yaml.j2], crPath: hco@v1beta1}]\n"
	for reason, tc := range map[string]struct {
		file, text string
		stated     []string
		more       map[string]string
		want       bool
	}{
		"the only one":            {"d/values.yaml", cr("hco"), []string{"--cr-path", "d/values.yaml#hco@v1beta1"}, nil, false},
		"another one in the file": {"d/values.yaml", cr("hco") + cr("other"), []string{"--cr-path", "d/values.yaml#hco@v1beta1"}, nil, true},
		"of a template":           {"d/values.yaml.j2", cr("hco"), []string{"--cr-path", "d/values.yaml.j2#hco@v1beta1"}, nil, false},
		"of a template in a Fleet": {
			"d/values.yaml.j2", cr("hco"), nil, map[string]string{"d/goldenarch.yaml": fleet}, false,
		},
	} {
		tree := map[string]string{tc.file: tc.text}
		maps.Copy(tree, tc.more)
		dir := writeTree(t, tree)
		args := []string{"check", "d", "--offline", "--release", "1.18", "--workload-architectures", "amd64", "--control-plane-architectures", "amd64"}
		out, errs, _ := runIn(t, dir, append(args, tc.stated...)...)
		if got := strings.Contains(out, "error GA830"); got != tc.want || !strings.Contains(out, "1 HyperConverged CR,") {
			t.Errorf("%s: want GA830: %t\n%s%s", reason, tc.want, out, errs)
		}
	}
}
