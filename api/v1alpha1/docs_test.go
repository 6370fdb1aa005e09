package v1alpha1

import (
	"os"
	"regexp"
	"testing"

	"sigs.k8s.io/yaml"
)

const reference = "../../docs/configuration.md"

// The examples of the reference are right.
func TestReferenceExamples(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(reference)
	if err != nil {
		t.Fatal(err)
	}
	examples := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	if len(examples) != 5 {
		t.Errorf("%s has %d examples, expected one of each kind and a ConfigMap", reference, len(examples))
	}
	for _, example := range examples {
		var tree map[string]any
		if err := yaml.Unmarshal([]byte(example[1]), &tree); err != nil {
			t.Errorf("%v in\n%s", err, example[1])
			continue
		}
		switch _, kind := typeOf(tree); kind {
		case ClusterArchitecturesKind:
			_, err = DecodeClusterArchitectures(tree)
		case ArchitectureLockKind:
			_, err = DecodeArchitectureLock(tree)
		case WorkloadArchitecturesKind:
			_, err = DecodeWorkloadArchitectures(tree)
		default:
			_, err = DecodeGoldenImages(tree)
		}
		if err != nil {
			t.Errorf("%v in\n%s", err, example[1])
		}
	}
}
