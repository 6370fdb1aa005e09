package v1alpha1

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

func TestFleetMatches(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, pattern, path string
		want                  bool
	}{
		{"the same", "overlays/prod", "overlays/prod", true},
		{"a slash at the end plays no part", "overlays/prod/", "overlays/prod", true},
		{"a star", "overlays/prod-*", "overlays/prod-a", true},
		{"a star does not cross directories", "overlays/*", "overlays/prod/a", false},
		{"a directory above is not the cluster", "overlays", "overlays/prod", false},
		{"two stars cross directories", "clusters/**/hco", "clusters/eu/west/hco", true},
		{"two stars also match no directory", "clusters/**/hco", "clusters/hco", true},
		{"two stars at the end", "clusters/**", "clusters/a/b", true},
		{"two stars twice", "**/prod/**", "a/b/prod/c", true},
		{"two stars, and what follows differs", "**/prod", "a/prod/b", false},
		{"the first match of two stars is not the right one", "**/a/b", "a/c/a/b", true},
		{"a set of characters", "overlays/prod-[ab]", "overlays/prod-b", true},
		{"the root", ".", ".", true},
		{"a file", "hco-*.yaml", "hco-a.yaml", true},
	} {
		c := FleetCluster{Paths: []string{tc.pattern}}
		if got := c.Matches(tc.path); got != tc.want {
			t.Errorf("%s: %q matches %q: want %v, got %v", tc.reason, tc.pattern, tc.path, tc.want, got)
		}
	}
}

func TestFleetFirstEntryCounts(t *testing.T) {
	t.Parallel()
	f := Fleet{Clusters: []FleetCluster{{Paths: []string{"a/x", "b/*"}}, {Paths: []string{"*/x"}}, {Paths: []string{"**"}}}}
	for path, want := range map[string]int{"a/x": 0, "b/x": 0, "c/x": 1, "c/y/z": 2} {
		if got, ok := f.Entry(path); !ok || got != want {
			t.Errorf("%s: want entry %d, got %d, %v", path, want, got, ok)
		}
	}
	if _, ok := (*Fleet)(nil).Entry("a"); ok {
		t.Error("without a Fleet no entry matches")
	}
}

func TestDecodeFleet(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ reason, text, want string }{
		{
			reason: "all fields",
			text: `{clusters: [{paths: [a, "b/*"], name: prod, workloadArchitectures: [amd64], controlPlaneArchitectures: [x86_64], ` +
				`release: "4.22", gate: Keep, live: l.yaml, config: c/d.yaml}]}`,
		},
		{"no clusters", `{}`, "clusters: is empty, expected a list of entries with paths"},
		{"an unknown field", `{clusters: [{paths: [a], arch: [amd64]}]}`, `clusters[0].arch: unknown field "arch"`},
		{
			reason: "a field of another case",
			text:   `{clusters: [{Paths: [a]}]}`,
			want: `clusters[0].Paths: unknown field "Paths"; did you mean "paths"?; clusters[0].paths: is empty, ` +
				`expected patterns of directories, such as overlays/prod-*`,
		},
		{"a string in place of a list", `{clusters: [{paths: a}]}`, `clusters[0].paths: is the string "a", expected a list`},
		{
			reason: "a number in place of a string",
			text:   `{clusters: [{paths: [a], release: 4.20}]}`,
			want:   "clusters[0].release: is the number 4.2, expected a string: write it in quotes",
		},
		{"an empty pattern", `{clusters: [{paths: [""]}]}`, "clusters[0].paths[0]: is empty, expected a pattern of directories, such as overlays/prod-*"},
		{
			reason: "a path that leaves the repository",
			text:   `{clusters: [{paths: ["../x"]}]}`,
			want:   `clusters[0].paths[0]: is "../x", expected a path with slashes, relative to the directory of the Fleet and below it`,
		},
		{
			reason: "an invalid pattern",
			text:   `{clusters: [{paths: ["a[b"]}]}`,
			want:   `clusters[0].paths[0]: is "a[b", which is not a valid pattern: close each [ with ], and put \ before a character that is meant literally`,
		},
		{
			reason: "a file that leaves the repository",
			text:   `{clusters: [{paths: [a], live: /etc/passwd}]}`,
			want:   `clusters[0].live: is "/etc/passwd", expected a file with slashes in its path, relative to the directory of the Fleet and below it`,
		},
		{"two entries of a name", `{clusters: [{paths: [a], name: x}, {paths: [b], name: x}]}`, `clusters[1].name: duplicate name "x": clusters[0] has it too`},
		{
			reason: "an unknown architecture",
			text:   `{clusters: [{paths: [a], workloadArchitectures: [arm46]}]}`,
			want: `clusters[0].workloadArchitectures: unknown architecture "arm46": expected one of 386, amd64, arm, arm64, loong64, ` +
				`mips, mips64, mips64le, mipsle, ppc64, ppc64le, riscv64, s390x; did you mean "arm64"?`,
		},
		{
			reason: "an unknown word for the gate",
			text:   `{clusters: [{paths: [a], gate: keep}]}`,
			want:   `clusters[0].gate: unknown value "keep": expected one of Auto, Enable, Disable, Keep; did you mean "Keep"?`,
		},
		{
			reason: "an unknown release",
			text:   `{clusters: [{paths: [a], release: "2.1"}]}`,
			want:   `clusters[0].release: unknown release "2.1": expected a release of HCO such as "1.19", or of OpenShift Virtualization such as "5.0"`,
		},
	} {
		var object map[string]any
		if err := yaml.Unmarshal([]byte(tc.text), &object); err != nil {
			t.Fatal(err)
		}
		object["apiVersion"], object["kind"] = APIVersion, FleetKind
		_, err := DecodeFleet(object)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
	if _, err := DecodeFleet(map[string]any{"apiVersion": "goldenarch.dev/v1", "kind": "Fleet"}); err == nil {
		t.Error("another version must be an error")
	}
}
