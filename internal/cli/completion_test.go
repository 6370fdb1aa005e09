package cli

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
)

// TestCompletionOffersWhatIsAccepted: of each option the offered values are
// taken, and another is not.
func TestCompletionOffersWhatIsAccepted(t *testing.T) {
	t.Parallel()
	offered := 0
	for _, scalar := range v1alpha1.Scalars() {
		values := words(scalar.Help)
		if values == nil {
			continue
		}
		for _, value := range append(values, "Nonsense") {
			var spec v1alpha1.GoldenImagesSpec
			spec.Default()
			err := scalar.Set(&spec, value)
			if err == nil {
				for _, fault := range faults(spec.Validate()) {
					if fault.Path == scalar.Path {
						err = v1alpha1.Errors{fault}
					}
				}
			}
			if (err != nil) != (value == "Nonsense") {
				t.Errorf("%s=%s: %v", scalar.Key, value, err)
			}
			offered++
		}
	}
	if offered < 30 {
		t.Errorf("only %d values were tried", offered)
	}
}

// TestFormatsAreThoseOfTheHelp: a verb has the formats that the help of --output lists.
func TestFormatsAreThoseOfTheHelp(t *testing.T) {
	t.Parallel()
	for verb, want := range map[string][]string{
		"check": slices.Sorted(maps.Keys(checkFormats)), "plan": slices.Sorted(maps.Keys(planFormats)), "resolve": slices.Sorted(maps.Keys(formats)),
		"forecast": {"facts", "json", "text", "yaml"},
	} {
		if got := slices.Sorted(slices.Values(words(command(t, verb).Flags().Lookup("output").Usage))); !slices.Equal(got, want) {
			t.Errorf("%s has the formats %q, and its help lists %q", verb, want, got)
		}
	}
}

func faults(err error) v1alpha1.Errors {
	list, _ := err.(v1alpha1.Errors)
	return list
}

func TestComplete(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason string
		args   []string
		want   []string
	}{
		{"verbs", []string{"re"}, []string{"render", "resolve"}},
		{
			reason: "predefined templates",
			args:   []string{"customize", ""},
			want: []string{
				"centos-stream10-image-cron", "centos-stream9-image-cron", "fedora-image-cron",
				"rhel10-image-cron", "rhel8-image-cron", "rhel9-image-cron",
			},
		},
		{"keys of settings", []string{"render", "--set", "expandR"}, []string{"expandReplaceOnChange="}},
		{"values of a setting", []string{"render", "--set", "existing="}, []string{"existing=Keep", "existing=Narrow", "existing=Replace"}},
		{"in the other spelling, for the function", []string{"--set=expand-support="}, []string{"expand-support=false", "expand-support=true"}},
		{"of a flag of its own", []string{"render", "--workloads", ""}, []string{"Affinity", "Check", "None"}},
		{"of a question", []string{"plan", "--gate", ""}, []string{"Disable", "Enable"}},
		{"of a key that there is not", []string{"check", "--set", "colour="}, nil},
		{"formats, without what explains them", []string{"forecast", "-o", ""}, []string{"facts", "json", "text", "yaml"}},
		{"the rest of a list", []string{"render", "--set", "allow=arm64,"}, []string{"allow=arm64,amd64", "allow=arm64,ppc64le", "allow=arm64,s390x"}},
	} {
		args := append([]string{"__complete"}, tc.args...)
		status, out, errs := runFed(t, "", args...)
		if status != 0 {
			t.Errorf("%s: status %d: %s", tc.reason, status, errs)
		}
		got := map[string]bool{}
		for line := range strings.Lines(out) {
			if word, _, _ := strings.Cut(strings.TrimSpace(line), "\t"); word != "" && !strings.HasPrefix(word, ":") {
				got[word] = true
			}
		}
		want := map[string]bool{}
		for _, word := range tc.want {
			want[word] = true
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}

// TestCompletionScripts: each shell gets one.
func TestCompletionScripts(t *testing.T) {
	t.Parallel()
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		status, out, errs := runFed(t, "", "completion", shell)
		if status != 0 || !strings.Contains(out, "goldenarch") {
			t.Errorf("%s: status %d, %d bytes: %s", shell, status, len(out), errs)
		}
	}
}
