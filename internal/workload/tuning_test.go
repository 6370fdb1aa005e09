package workload

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
)

// The images of the multiarch-tuning-operator's tests.
var tuningImages = map[string]string{
	"multi": "amd64,arm64", "multi2": "amd64,arm64", "arm": "single arm64", "amd": "single amd64", "none": "error: not found",
}

// both and armOnly are what goldenarch writes for these images.
const (
	terms   = "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: ["
	end     = "]}}}\n"
	both    = "{key: kubernetes.io/arch, operator: In, values: [amd64, arm64]}"
	amdOnly = "{key: kubernetes.io/arch, operator: In, values: [amd64]}"
	armOnly = "{key: kubernetes.io/arch, operator: In, values: [arm64]}"
	foo     = "{key: foo, operator: In, values: [bar]}"
	baz     = "{key: baz, operator: In, values: [foo]}"
	s390x   = "{key: kubernetes.io/arch, operator: In, values: [s390x]}"
	prefer  = "affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: ["
	podPart = "podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: foo}]}"
	fooPref = "{weight: 50, preference: {matchExpressions: [" + foo + "]}}"
)

// TestTuningOperatorSituations goes through the tables of the multiarch-tuning-operator
// (internal/controller/podplacement/pod_model_test.go): what a pod says before, and
// after. A deviation says why goldenarch does otherwise.
func TestTuningOperatorSituations(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, images, before, want, ids, deviation string
		prefers                                    string
	}{
		// setArchNodeAffinity
		{
			name: "setting: no terms in the list", images: "multi", before: terms + end, want: terms + end, ids: "GA710",
			deviation: "the API server refuses an empty list, so it cannot reach an admission webhook; in Git it is an error to report",
		},
		{
			name: "setting: a term without expressions", images: "amd", before: terms + "{}" + end, want: terms + "{}" + end, ids: "GA709 GA704",
			deviation: "an empty term selects no node; with an expression it would select some",
		},
		{
			name:      "setting: a term with an empty list",
			images:    "arm",
			before:    terms + "{matchExpressions: []}" + end,
			want:      terms + "{matchExpressions: []}" + end,
			ids:       "GA709 GA704",
			deviation: "the same",
		},
		{
			name: "setting: two terms", images: "multi", before: terms + "{matchExpressions: [" + foo + "]}, {matchExpressions: [" + baz + "]}" + end,
			want: terms + "{matchExpressions: [" + foo + ", " + both + "]}, {matchExpressions: [" + baz + ", " + both + "]}" + end, ids: "GA720",
		},
		{
			name:   "setting: one of two terms names the architecture",
			images: "multi",
			before: terms + "{matchExpressions: [" + foo + ", " + armOnly + "]}, {matchExpressions: [" + baz + "]}" + end,
			want:   terms + "{matchExpressions: [" + foo + ", " + armOnly + "]}, {matchExpressions: [" + baz + ", " + both + "]}" + end,
			ids:    "GA720",
		},
		{
			name:      "setting: one of two terms names another architecture",
			images:    "multi",
			before:    terms + "{matchExpressions: [" + foo + ", " + s390x + "]}, {matchExpressions: [" + baz + "]}" + end,
			want:      terms + "{matchExpressions: [" + foo + ", " + s390x + "]}, {matchExpressions: [" + baz + "]}" + end,
			ids:       "GA702",
			deviation: "the operator writes the second term and never compares the first one with the images; here that is an error, and nothing is written",
		},
		// SetNodeAffinityArchRequirement
		{name: "requirement: no affinity", images: "multi", want: terms + "{matchExpressions: [" + both + "]}" + end, ids: "GA720"},
		{name: "requirement: affinity is null", images: "multi", before: "affinity: null\n", want: terms + "{matchExpressions: [" + both + "]}" + end, ids: "GA720"},
		{name: "requirement: affinity is empty", images: "multi", before: "affinity: {}\n", want: terms + "{matchExpressions: [" + both + "]}" + end, ids: "GA720"},
		{
			name:   "requirement: node affinity is empty",
			images: "multi",
			before: "affinity: {nodeAffinity: {}}\n",
			want:   terms + "{matchExpressions: [" + both + "]}" + end,
			ids:    "GA720",
		},
		{
			name: "requirement: a nodeSelector without the architecture", images: "multi", before: "nodeSelector: {foo: bar}\n",
			want: "nodeSelector: {foo: bar}\n" + terms + "{matchExpressions: [" + both + "]}" + end, ids: "GA720",
		},
		{
			name: "requirement: a nodeSelector with the architecture", images: "multi", before: "nodeSelector: {foo: bar, kubernetes.io/arch: arm64}\n",
			want: "nodeSelector: {foo: bar, kubernetes.io/arch: arm64}\n", ids: "GA703",
		},
		{
			name: "requirement: a term", images: "multi", before: terms + "{matchExpressions: [" + foo + "]}" + end,
			want: terms + "{matchExpressions: [" + foo + ", " + both + "]}" + end, ids: "GA720",
		},
		{
			name:   "requirement: other kinds of affinity",
			images: "multi",
			before: "affinity: {" + podPart + ", nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [" + fooPref + "]}}\n",
			want: "affinity: {" + podPart + ", nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [" + fooPref +
				"], requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [" + both + "]}]}}}\n",
			ids: "GA720",
		},
		{name: "requirement: an image that cannot be asked for", images: "multi none", ids: "GA706"},
		{
			name: "requirement: nothing in common", images: "amd arm", ids: "GA705",
			deviation: "the operator writes a requirement that no node meets; here it is an error before the commit",
		},
		// isNodeSelectorConfiguredForArchitecture
		{name: "configured: nodeSelector", images: "amd", before: "nodeSelector: {kubernetes.io/arch: amd64}\n", want: "nodeSelector: {kubernetes.io/arch: amd64}\n"},
		{name: "configured: nothing", images: "amd", want: terms + "{matchExpressions: [" + amdOnly + "]}" + end, ids: "GA720"},
		{
			name:   "configured: no node affinity",
			images: "amd",
			before: "affinity: {" + podPart + "}\n",
			want: "affinity: {" + podPart +
				", nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [" + amdOnly +
				"]}]}}}\n",
			ids: "GA720",
		},
		{
			name:   "configured: an empty node affinity",
			images: "amd",
			before: "affinity: {nodeAffinity: {}}\n",
			want:   terms + "{matchExpressions: [" + amdOnly + "]}" + end,
			ids:    "GA720",
		},
		{
			name:   "configured: the term",
			images: "amd",
			before: terms + "{matchExpressions: [" + amdOnly + "]}" + end,
			want:   terms + "{matchExpressions: [" + amdOnly + "]}" + end,
		},
		{
			name:   "configured: a term without",
			images: "amd",
			before: terms + "{matchExpressions: [" + foo + "]}" + end,
			want:   terms + "{matchExpressions: [" + foo + ", " + amdOnly + "]}" + end,
			ids:    "GA720",
		},
		{
			name: "configured: one term of two", images: "amd", before: terms + "{matchExpressions: [" + foo + "]}, {matchExpressions: [" + amdOnly + "]}" + end,
			want: terms + "{matchExpressions: [" + foo + ", " + amdOnly + "]}, {matchExpressions: [" + amdOnly + "]}" + end, ids: "GA720",
		},
		// SetPreferredArchNodeAffinity
		{
			name:      "preferred: nothing before, a single architecture",
			images:    "amd",
			prefers:   "amd64=1",
			want:      terms + "{matchExpressions: [" + amdOnly + "]}" + end,
			ids:       "GA720",
			deviation: "where one architecture is left, a preference for it says nothing",
		},
		{
			name:    "preferred: nothing before",
			images:  "multi",
			prefers: "amd64=1",
			want: "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [" + both +
				"]}]}, preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, preference: {matchExpressions: [" + amdOnly + "]}}]}}\n",
			ids: "GA720",
		},
		{
			name:    "preferred: another preference",
			images:  "multi",
			prefers: "amd64=1",
			before:  prefer + fooPref + "]}}\n",
			want: prefer + fooPref + ", {weight: 1, preference: {matchExpressions: [" + amdOnly +
				"]}}], requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [" + both + "]}]}}}\n",
			ids: "GA720",
		},
		{
			name:    "preferred: a person prefers an architecture",
			images:  "multi",
			prefers: "arm64=1",
			before:  prefer + "{weight: 30, preference: {matchExpressions: [" + amdOnly + "]}}]}}\n",
			want: prefer + "{weight: 30, preference: {matchExpressions: [" + amdOnly +
				"]}}], requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [" + both + "]}]}}}\n",
			ids:       "GA720",
			deviation: "the operator adds the architectures that the person does not name; here the person's preference stands alone",
		},
		{
			name:      "preferred: an architecture that the images lack",
			images:    "multi",
			prefers:   "s390x=9",
			want:      terms + "{matchExpressions: [" + both + "]}" + end,
			ids:       "GA720",
			deviation: "the operator prefers what the images do not have",
		},
		{
			name:   "preferred: an empty list",
			images: "multi",
			before: prefer + "]}}\n",
			want:   prefer + "], requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [" + both + "]}]}}}\n",
			ids:    "GA720",
		},
		// intersectImagesArchitecture
		{name: "intersection: an index", images: "multi", want: terms + "{matchExpressions: [" + both + "]}" + end, ids: "GA720"},
		{name: "intersection: one architecture", images: "arm", want: terms + "{matchExpressions: [" + armOnly + "]}" + end, ids: "GA720"},
		{name: "intersection: an image twice", images: "multi" + " multi", want: terms + "{matchExpressions: [" + both + "]}" + end, ids: "GA720"},
		{name: "intersection: an index and one architecture", images: "multi arm", want: terms + "{matchExpressions: [" + armOnly + "]}" + end, ids: "GA720"},
		{name: "intersection: two indexes", images: "multi multi2", want: terms + "{matchExpressions: [" + both + "]}" + end, ids: "GA720"},
		{name: "intersection: no such image", images: "multi none", ids: "GA706"},
	} {
		s := situation{Images: tuningImages, Spec: v1alpha1.WorkloadArchitecturesSpec{Preferred: preferredOf(t, tc.prefers)}}
		output, found := treated(t, s.run(t), podOf(tc.images, tc.before))
		var ids []string
		for _, f := range found {
			ids = append(ids, string(f.ID))
		}
		ids = withoutFixed(ids)
		if got := strings.Join(ids, " "); got != tc.ids {
			t.Errorf("%s: want the findings %q, got %q", tc.name, tc.ids, got)
		}
		if diff := cmp.Diff(constraintsOf(t, podOf(tc.images, tc.want)), constraintsOf(t, output)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}
