package fn_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/fn/framework"
	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/fn"
)

// itemsOf parses a stream of objects.
func itemsOf(t *testing.T, text string) []*yaml.RNode {
	t.Helper()
	items, err := (&kio.ByteReader{Reader: strings.NewReader(text), OmitReaderAnnotations: true}).Read()
	if err != nil {
		t.Fatal(err)
	}
	return items
}

// answers resolves images from a table, by their references.
type answers map[string][]fn.Platform

// Resolve implements fn.Resolver.
func (a answers) Resolve(_ context.Context, ref fn.Reference) (fn.Image, error) {
	if list, ok := a[ref.String()]; ok {
		return fn.Image{Platforms: list}, nil
	}
	return fn.Image{}, errors.New("no such image")
}

func linux(architectures ...string) []fn.Platform {
	var out []fn.Platform
	for _, a := range architectures {
		out = append(out, fn.Platform{OS: "linux", Architecture: a})
	}
	return out
}

const committed = `apiVersion: hco.kubevirt.io/v1beta1
kind: HyperConverged
metadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged}
spec:
  featureGates: {enableMultiArchBootImageImport: true}
  enableCommonBootImageImport: false
  dataImportCronTemplates:
  - metadata: {name: app, annotations: {ssp.kubevirt.io/dict.architectures: "amd64,arm64"}}
    spec:
      managedDataSource: app
      schedule: "0 */12 * * *"
      template: {spec: {source: {registry: {url: "docker://quay.io/acme/app:1"}}, storage: {resources: {requests: {storage: 10Gi}}}}}
`

// stated states a release and nodes, as a caller does.
func stated(with func(*v1alpha1.GoldenImagesSpec)) v1alpha1.GoldenImagesSpec {
	out := v1alpha1.GoldenImagesSpec{Release: "1.19"}
	out.Cluster.WorkloadArchitectures, out.Cluster.ControlPlaneArchitectures = []string{"amd64", "arm64"}, []string{"amd64"}
	if with != nil {
		with(&out)
	}
	return out
}

// TestCheck: a check of items says what the command line says of files.
func TestCheck(t *testing.T) {
	t.Parallel()
	both, one := answers{"quay.io/acme/app:1": linux("amd64", "aarch64")}, answers{"quay.io/acme/app:1": linux("amd64")}
	for _, tc := range []struct {
		reason, items string
		options       fn.Options
		want          fn.Verdict
		says          string // in a result; "" for no error
	}{
		{"the image has what the CR declares", committed, fn.Options{Settings: stated(nil), Resolver: both}, fn.RightAsCommitted, ""},
		{"the image lacks an architecture", committed, fn.Options{Settings: stated(nil), Resolver: one}, fn.NotRight, "arm64"},
		{"the resolver fails", committed, fn.Options{Settings: stated(nil), Resolver: answers{}}, fn.NotRight, "no such image"},
		{"the resolver has no platform", committed, fn.Options{Settings: stated(nil), Resolver: answers{"quay.io/acme/app:1": nil}}, fn.NotRight, "no platform"},
		{"no registry is asked", committed, fn.Options{Settings: stated(nil), Offline: true, Resolver: both}, fn.NotRight, "lock"},
		{
			"an override states the image", committed,
			fn.Options{Offline: true, Settings: stated(func(s *v1alpha1.GoldenImagesSpec) {
				s.Overrides = []v1alpha1.Override{{Image: "quay.io/acme/app:1", Architectures: []string{"amd64", "arm64"}}}
			})},
			fn.RightAsCommitted, "",
		},
		{"there is no CR", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n", fn.Options{Settings: stated(nil)}, fn.NothingChecked, ""},
		{
			"a setting is wrong", committed,
			fn.Options{Settings: stated(func(s *v1alpha1.GoldenImagesSpec) { s.Release = "soon" }), Resolver: both},
			fn.NotRight, "soon",
		},
	} {
		items := itemsOf(t, tc.items)
		before := items[0].MustString()
		got, err := fn.Check(t.Context(), items, tc.options)
		if err != nil {
			t.Errorf("%s: %v", tc.reason, err)
			continue
		}
		failed := slices.ContainsFunc(got.Results, func(r *framework.Result) bool { return r.Severity == framework.Error })
		says := slices.ContainsFunc(got.Results, func(r *framework.Result) bool { return strings.Contains(r.Message, tc.says) })
		if got.Verdict != tc.want || failed != (tc.want == fn.NotRight) || tc.says != "" && !says {
			t.Errorf("%s: want %s and %q, got %s:\n%v", tc.reason, tc.want, tc.says, got.Verdict, got.Results)
		}
		if after := items[0].MustString(); after != before {
			t.Errorf("%s: the items changed:\n%s", tc.reason, after)
		}
	}
}

// TestForecast: a prediction says what becomes of each template, or why the CR is refused.
func TestForecast(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, items string
		want          func(fn.Prediction) bool
	}{
		{"each architecture has a boot source", committed, func(p fn.Prediction) bool {
			return p.Templates[0].Name == "app" && slices.Equal(p.Templates[0].Architectures, []string{"amd64", "arm64"}) && len(p.Alerts) == 0 &&
				p.MultiArchEnabled && p.Templates[0].DefaultArchitecture == "amd64"
		}},
		{"an alert fires", strings.ReplaceAll(committed, "amd64,arm64", "s390x"), func(p fn.Prediction) bool {
			return slices.Equal(p.Alerts, []string{"HCOGoldenImageWithNoSupportedArchitecture"})
		}},
		{"HCO refuses the CR", strings.ReplaceAll(committed, "name: kubevirt-hyperconverged,", "name: other,"), func(p fn.Prediction) bool {
			return len(p.Refused) > 0 && len(p.Templates) == 0
		}},
	} {
		got, found, err := fn.Forecast(itemsOf(t, tc.items), fn.Options{Settings: stated(nil)})
		if err != nil || len(got) != 1 || !tc.want(got[0]) {
			t.Errorf("%s: %v %v %+v", tc.reason, err, found, got)
		}
	}
}

// TestSettings: what has no key in a ConfigMap cannot win over a configuration, and is an error of each call.
func TestSettings(t *testing.T) {
	t.Parallel()
	options := fn.Options{Settings: stated(func(s *v1alpha1.GoldenImagesSpec) {
		s.Findings = map[string]v1alpha1.FindingSeverity{"GA101": "warning"}
	})}
	if _, err := fn.Check(t.Context(), nil, options); err == nil || !strings.Contains(err.Error(), "Options.Settings") {
		t.Errorf("check: %v", err)
	}
	if _, _, err := fn.Forecast(nil, options); err == nil {
		t.Error("forecast has no error")
	}
	if err := (fn.Function{Options: options}).Process(&framework.ResourceList{}); err == nil || errors.Is(err, fn.ErrFindings) {
		t.Errorf("process: %v", err)
	}
}
