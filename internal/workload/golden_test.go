package workload

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/yaml"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/finding"
)

var update = flag.Bool("update", false, "write the golden files")

// situation is a case.yaml: what a run is given, and why.
type situation struct {
	Reason string                             `json:"reason"`
	Spec   v1alpha1.WorkloadArchitecturesSpec `json:"spec"`
	// Images have "amd64,arm64", "single amd64", "ignored", "bundle", "missing arm64", "denied
	// host" or "error: why".
	Images    map[string]string         `json:"images"`
	Nodes     []cluster.Node            `json:"nodes"`
	Cluster   string                    `json:"cluster"`
	Required  string                    `json:"required"`
	Operator  bool                      `json:"operator"`
	Selectors map[string]NodeSelector   `json:"selectors"`
	Operators []v1alpha1.LockedOperator `json:"operators"`
	Input     string                    `json:"input"`
}

func (s situation) run(t *testing.T) Run {
	t.Helper()
	r := Run{Spec: s.Spec, Selectors: s.Selectors, Operators: s.Operators, Answers: map[string]Answer{}, Nodes: NodesOf(named(s.Cluster)), Required: named(s.Required), Operator: s.Operator}
	if r.Spec.Mode == "" {
		r.Spec.Mode = v1alpha1.WorkloadsAffinity
	}
	for _, n := range s.Nodes {
		n.Count = 1
		r.Nodes.Known = append(r.Nodes.Known, cluster.NodeOf(n))
	}
	for image, text := range s.Images {
		why, failed := strings.CutPrefix(text, "error: ")
		names, single := strings.CutPrefix(text, "single ")
		missing, sparse := strings.CutPrefix(text, "missing ")
		host, denied := strings.CutPrefix(text, "denied ")
		switch {
		case failed:
			r.Answers[image] = Answer{Err: errors.New(why)}
		case sparse:
			r.Answers[image] = Answer{Err: errors.New("404"), Missing: named(missing)}
		case denied:
			r.Answers[image] = Answer{Err: errors.New("401 from " + host), LogIn: host}
		case text == "bundle":
			r.Answers[image] = Answer{Architectures: named("amd64"), Single: true, Neutral: true}
		case text == "artifact":
			r.Answers[image] = Answer{Err: errors.New("an artifact"), Artifact: true}
		case text == "ignored":
			r.Answers[image] = Answer{Ignored: true}
		default:
			r.Answers[image] = Answer{Architectures: named(names), Single: single}
		}
	}
	return r
}

func named(list string) arch.Set {
	if list == "" {
		return nil
	}
	return arch.Named(strings.Split(list, ",")...)
}

// treated runs a situation on YAML and returns what comes out.
func treated(t *testing.T, r Run, input string) (string, finding.List) {
	t.Helper()
	items, err := kio.FromBytes([]byte(input))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	var found finding.List
	for _, item := range items {
		copied := item.Copy()
		for _, o := range objectsIn(copied) {
			_, list := r.Treat(o)
			found = append(found, list...)
		}
		if found.Failed() {
			copied = item
		}
		for _, key := range []string{"config.kubernetes.io/index", "internal.config.kubernetes.io/index", "internal.config.kubernetes.io/seqindent"} {
			if err := copied.PipeE(yaml.ClearAnnotation(key)); err != nil {
				t.Fatal(err)
			}
		}
		if err := yaml.ClearEmptyAnnotations(copied); err != nil {
			t.Fatal(err)
		}
		text, err := copied.String()
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, text)
	}
	return strings.Join(out, "---\n"), found
}

// TestSituations runs each directory of testdata. A second run changes nothing.
func TestSituations(t *testing.T) {
	t.Parallel()
	cases, err := filepath.Glob("testdata/*/case.yaml")
	if err != nil || len(cases) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, path := range cases {
		dir := filepath.Dir(path)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var s situation
			if err := k8syaml.UnmarshalStrict(data, &s); err != nil {
				t.Fatal(err)
			}
			if s.Reason == "" {
				t.Error("a case says why it is there")
			}
			output, found := treated(t, s.run(t), s.Input)
			golden(t, filepath.Join(dir, "output.yaml"), output)
			golden(t, filepath.Join(dir, "findings.txt"), found.String())
			again, _ := treated(t, s.run(t), output)
			if diff := cmp.Diff(output, again); diff != "" {
				t.Errorf("a second run changes something:\n%s", diff)
			}
		})
	}
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}
