package olm

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/workload"
	"github.com/goldenarch/goldenarch/internal/workload/podspec"
)

// TestLabels: a ClusterServiceVersion has labels, a deployment with the image m, and a
// related image r.
func TestLabels(t *testing.T) {
	t.Parallel()
	const a, o = ArchPrefix, osPrefix
	for _, tc := range []struct {
		reason, labels string
		m, r           string // architectures; "" is no related image, "?" an unknown one, "-" an ignored one, "bundle" an operator bundle
		constraint     string // of the pod of the deployment
		spec           v1alpha1.WorkloadArchitecturesSpec
		want           string // the findings
		after          string // the labels; unchanged if ""
	}{
		{reason: "no label means amd64, and the image has it", m: "amd64"},
		{reason: "no label means amd64, and the image lacks it", m: "arm64", want: "error GA713"},
		{reason: "no label, and the images have more: amd64 needs one as well then", m: "amd64 arm64", want: "warning GA714"},
		{
			reason: "labels for two, and one image that is not an index",
			labels: a + "amd64: supported, " + a + "arm64: supported",
			m:      "single amd64",
			want:   "error GA713",
		},
		{reason: "one label for it is right", labels: a + "amd64: supported", m: "single amd64"},
		{reason: "a related image of which the mirror lacks manifests", labels: a + "amd64: supported", m: "amd64", r: "missing", want: "warning GA718"},
		{reason: "all is said", labels: a + "amd64: supported, " + a + "arm64: supported", m: "amd64 arm64"},
		{reason: "a merge key can bring labels", labels: a + "amd64: supported, <<: {" + a + "arm64: supported, " + a + "amd64: no}", m: "amd64 arm64"},
		{reason: "a value can be an alias", labels: o + "linux: &yes supported, " + a + "amd64: *yes, " + a + "arm64: *yes", m: "amd64 arm64"},
		{reason: "a label that the image of a deployment lacks", labels: a + "amd64: supported, " + a + "s390x: supported", m: "amd64", want: "error GA713"},
		{reason: "a label that a related image lacks", labels: a + "amd64: supported, " + a + "arm64: supported", m: "amd64 arm64", r: "amd64", want: "error GA713; info GA739"},
		{reason: "explicit labels without amd64", labels: a + "arm64: supported", m: "amd64 arm64", want: "warning GA714"},
		{reason: "what a related image lacks is not missing", labels: a + "amd64: supported", m: "amd64 arm64", r: "amd64", want: "info GA739"},
		{reason: "arm is not arm64", labels: a + "amd64: supported, " + a + "arm64: supported", m: "amd64 arm64 arm", want: "warning GA714"},
		{reason: "another value is no label", labels: a + "amd64: supported, " + a + "arm64: unsupported", m: "amd64 arm64", want: "warning GA715"},
		{reason: "a name of the kernel", labels: a + "x86_64: supported", m: "amd64", want: "warning GA715"},
		{reason: "no name", labels: a + "vax: supported, " + a + "amd64: supported", m: "amd64", want: "warning GA715"},
		{reason: "an unknown related image leaves open what is missing", labels: a + "amd64: supported", m: "amd64 arm64", r: "?", want: "warning GA706"},
		{reason: "and what is wrong is wrong all the same", labels: a + "s390x: supported", m: "amd64", r: "?", want: "warning GA706; error GA713"},
		{
			reason: "on request it is an error",
			m:      "amd64",
			r:      "?",
			spec:   v1alpha1.WorkloadArchitecturesSpec{Unresolved: v1alpha1.UnresolvedError},
			want:   "error GA706",
		},
		{reason: "an ignored image does not count", labels: a + "amd64: supported, " + a + "arm64: supported", m: "amd64 arm64", r: "-"},
		{reason: "nor does an operator bundle image", labels: a + "amd64: supported, " + a + "arm64: supported", m: "amd64 arm64", r: "bundle"},
		{reason: "another system cannot be proven", labels: o + "windows: supported", m: "amd64", want: "warning GA713"},
		{
			reason: "Linux beside it counts",
			labels: o + "windows: supported, " + o + "linux: supported",
			m:      "arm64",
			want:   "warning GA713; error GA713",
		},
		{reason: "a system with another value", labels: o + "linux: no", m: "amd64", want: "warning GA715"},
		{reason: "off", labels: a + "s390x: supported", m: "amd64", spec: v1alpha1.WorkloadArchitecturesSpec{CSVLabels: v1alpha1.CSVLabelsOff}},
		{
			reason: "missing ones are written, with the system",
			m:      "amd64 arm64",
			spec:   writing(false),
			want:   "info GA727",
			after:  a + "amd64: supported " + a + "arm64: supported " + o + "linux: supported",
		},
		{reason: "what only some images have is not written, and that is said", m: "amd64 arm64", r: "amd64", spec: writing(false), want: "info GA727; info GA739"},
		{reason: "nor is that worth a word of what nobody builds operators for", m: "amd64 386", r: "amd64", spec: writing(false)},
		{reason: "a label that is written takes back the default", m: "arm64", spec: writing(false), want: "info GA727", after: a + "arm64: supported " + o + "linux: supported"},
		{
			reason: "a value of a person stays",
			labels: a + "amd64: supported, " + a + "arm64: no",
			m:      "amd64 arm64",
			spec:   writing(false),
			want:   "warning GA715",
		},
		{reason: "none is removed without prune", labels: a + "amd64: supported, " + a + "s390x: supported", m: "amd64", spec: writing(false), want: "error GA713"},
		{
			reason: "with prune those that no image keeps are",
			labels: a + "amd64: supported, " + a + "s390x: supported",
			m:      "amd64 arm64",
			spec:   writing(true),
			want:   "info GA727; warning GA727",
			after:  a + "amd64: supported " + a + "arm64: supported " + o + "linux: supported",
		},
		{
			reason: "but not where an image is unknown",
			labels: a + "amd64: supported, " + a + "s390x: supported",
			m:      "amd64",
			r:      "?",
			spec:   writing(true),
			want:   "warning GA706; error GA713",
		},
		{
			reason:     "a label that a constraint takes back",
			labels:     a + "amd64: supported, " + a + "arm64: supported",
			m:          "amd64 arm64",
			constraint: "nodeSelector: {kubernetes.io/arch: arm64}",
			want:       "error GA713",
		},
		{
			reason:     "one that an image takes back, too",
			labels:     a + "amd64: supported, " + a + "arm64: supported",
			m:          "amd64",
			constraint: "nodeSelector: {kubernetes.io/arch: amd64}",
			want:       "error GA713",
		},
		{
			reason:     "an unknown image leaves that as it is",
			labels:     a + "arm64: supported",
			m:          "amd64",
			r:          "?",
			constraint: "nodeSelector: {kubernetes.io/arch: amd64}",
			want:       "warning GA706; error GA713",
		},
		{
			reason:     "without a label OLM takes amd64",
			m:          "amd64 arm64",
			constraint: "nodeSelector: {kubernetes.io/arch: arm64}",
			want:       "warning GA714; error GA713",
		},
		{
			reason:     "no label is written that a constraint takes back",
			m:          "amd64 arm64",
			constraint: "nodeSelector: {kubernetes.io/arch: arm64}",
			spec:       writing(false),
			want:       "info GA727; info GA727",
			after:      a + "arm64: supported " + o + "linux: supported",
		},
		{
			reason:     "a pod for Windows says nothing about Linux",
			labels:     a + "amd64: supported, " + o + "linux: supported",
			m:          "amd64",
			constraint: "nodeSelector: {kubernetes.io/os: windows}",
		},
		{
			reason: "a check writes nothing",
			m:      "amd64 arm64",
			spec:   v1alpha1.WorkloadArchitecturesSpec{Mode: v1alpha1.WorkloadsCheck, CSVLabels: v1alpha1.CSVLabelsWrite},
			want:   "warning GA714",
		},
	} {
		list, _ := workload.Objects(object.All([]*yaml.RNode{yaml.MustParse(csvText(tc.labels, tc.constraint, tc.r))}))
		csv := list[0]
		names, single := strings.CutPrefix(tc.m, "single ")
		run := workload.Run{Spec: tc.spec, Answers: map[string]workload.Answer{"m": {Architectures: arch.Named(strings.Fields(names)...), Single: single}}}
		switch tc.r {
		case "?":
			run.Answers["r"] = workload.Answer{Err: errors.New("404")}
		case "missing":
			run.Answers["r"] = workload.Answer{Err: errors.New("404"), Missing: arch.Named("arm64")}
		case "bundle":
			run.Answers["r"] = workload.Answer{Architectures: arch.Named("s390x"), Single: true, Neutral: true}
		case "-":
			run.Answers["r"] = workload.Answer{Ignored: true}
		default:
			run.Answers["r"] = workload.Answer{Architectures: arch.Named(strings.Fields(tc.r)...)}
		}
		before := written(csv)
		changed, found := Treat(run, csv)
		var got []string
		for _, f := range found {
			got = append(got, fmt.Sprintf("%s %s", f.Severity, f.ID))
		}
		if shown := strings.Join(got, "; "); shown != tc.want {
			t.Errorf("%s: want %q, got %q\n%s", tc.reason, tc.want, shown, found)
		}
		if tc.after == "" {
			tc.after = before
		}
		if after := written(csv); after != tc.after || changed.Changed != (after != before) {
			t.Errorf("%s: want the labels %q, got %q (changed: %v)", tc.reason, tc.after, after, changed)
		}
		if again, _ := Treat(run, csv); again.Changed {
			t.Errorf("%s: a second run changes something", tc.reason)
		}
	}
}

func writing(prune bool) v1alpha1.WorkloadArchitecturesSpec {
	return v1alpha1.WorkloadArchitecturesSpec{Mode: v1alpha1.WorkloadsAffinity, CSVLabels: v1alpha1.CSVLabelsWrite, Prune: prune}
}

func csvText(labels, constraint, related string) string {
	text := "apiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\nmetadata: {name: x, labels: {" + labels + "}}\n" +
		"spec:\n  install: {spec: {deployments: [{name: d, spec: {template: {spec: {containers: [{name: manager, image: m}], " + constraint + "}}}}]}}\n"
	if related != "" {
		text += "  relatedImages: [{name: r, image: r}]\n"
	}
	return text
}

func written(o podspec.Object) string {
	var out []string
	for key, value := range o.Labels() {
		out = append(out, key+": "+value)
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}
