package v1alpha1

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Keys are public interface, and so is their other spelling, in flags and in parameters of Argo CD:
// they are added to, not renamed.
func TestScalarsAreTheContract(t *testing.T) {
	t.Parallel()
	want := []string{
		"workloadArchitectures workload-architectures", "controlPlaneArchitectures control-plane-architectures",
		"inputs inputs", "mode mode", "platform platform", "release release", "predefined predefined", "existing existing",
		"allow allow", "unsupported unsupported", "unresolved unresolved", "gate gate",
		"singleArchitecture single-architecture", "defaults defaults", "expand expand",
		"expandNamespace expand-namespace", "expandDataSources expand-data-sources", "expandPredefined expand-predefined",
		"expandSupport expand-support", "expandReplaceOnChange expand-replace-on-change", "lock lock",
		"registryTimeout registry-timeout", "registryRequestTimeout registry-request-timeout",
		"registryRetries registry-retries", "registryConcurrency registry-concurrency",
		"registryRequestsPerSecond registry-requests-per-second", "verify verify", "registryInsecure registry-insecure",
		"registryPullSecrets registry-pull-secrets", "registryCertificateAuthorities registry-certificate-authorities",
		"workloads workloads", "csvLabels csv-labels",
	}
	var got []string
	for _, scalar := range Scalars() {
		got = append(got, scalar.Key+" "+scalar.Flag)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("keys and their other spelling (-want +got):\n%s", diff)
	}
}

func TestScalarsSetTheirField(t *testing.T) {
	t.Parallel()
	for _, scalar := range Scalars() {
		t.Run(scalar.Key, func(t *testing.T) {
			t.Parallel()
			var spec GoldenImagesSpec
			if scalar.Set(&spec, " 7 ") != nil && scalar.Set(&spec, " true ") != nil {
				t.Fatal("takes neither a number nor true")
			}
			set := nonZero(reflect.ValueOf(spec), "spec")
			if !slices.Equal(set, []string{scalar.Path}) {
				t.Errorf("%s sets %v, expected %s alone", scalar.Key, set, scalar.Path)
			}
			if scalar.Help == "" {
				t.Errorf("%s has no help", scalar.Key)
			}
		})
	}
}

// nonZero returns the paths of the fields that hold something.
func nonZero(v reflect.Value, path string) []string {
	if v.IsZero() {
		return nil
	}
	if v.Kind() != reflect.Struct {
		return []string{path}
	}
	var out []string
	for i := range v.NumField() {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		out = append(out, nonZero(v.Field(i), path+"."+name)...)
	}
	return out
}

// The help of a word lists the words: those that Validate takes.
func TestHelpNamesWordsThatAreValid(t *testing.T) {
	t.Parallel()
	words := regexp.MustCompile(`^[^:]+: ([A-Za-z]+(?:, [A-Za-z]+)*)$`)
	checked := 0
	for _, scalar := range Scalars() {
		parts := words.FindStringSubmatch(scalar.Help)
		if parts == nil {
			continue
		}
		for word := range strings.SplitSeq(parts[1], ", ") {
			var spec GoldenImagesSpec
			if err := scalar.Set(&spec, word); err != nil {
				t.Errorf("%s=%s: %v", scalar.Key, word, err)
			}
			spec.Default()
			if err := spec.Validate(); err != nil {
				t.Errorf("the help of %s offers %s, but: %v", scalar.Key, word, err)
			}
			checked++
		}
	}
	if checked < 20 {
		t.Errorf("only %d words were found in the help", checked)
	}
}

// TestNoneIsAStatement: "none" states that there are no control-plane nodes, an empty string
// states nothing, and both can be read back.
func TestNoneIsAStatement(t *testing.T) {
	t.Parallel()
	option, err := FindScalar("control-plane-architectures")
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		value  string
		stated bool
		length int
	}{{"none", true, 0}, {" none ", true, 0}, {"", false, 0}, {"amd64", true, 1}} {
		var spec GoldenImagesSpec
		if err := option.Set(&spec, tc.value); err != nil {
			t.Fatal(err)
		}
		list := spec.Cluster.ControlPlaneArchitectures
		if (list != nil) != tc.stated || len(list) != tc.length || option.Get(&spec) != strings.TrimSpace(tc.value) {
			t.Errorf("%q: got %#v, read back as %q", tc.value, list, option.Get(&spec))
		}
	}
}
