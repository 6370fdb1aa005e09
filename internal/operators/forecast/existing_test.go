package forecast

import (
	"fmt"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

const (
	fedoraPVC    = "{kind: PersistentVolumeClaim, metadata: {name: fedora, namespace: kubevirt-os-images}}"
	fedoraArmPVC = "{kind: PersistentVolumeClaim, metadata: {name: fedora-arm64, namespace: kubevirt-os-images}}"
)

// existing is a DataSource that is there, in YAML.
func existing(name, labels, spec string) string {
	return fmt.Sprintf("{kind: DataSource, metadata: {name: %s, namespace: kubevirt-os-images, labels: {%s}}, %s}", name, labels, spec)
}

func readExisting(t *testing.T, list string) []Existing {
	t.Helper()
	var objects []expansion.Object
	if err := yaml.Unmarshal([]byte("["+list+"]"), &objects); err != nil {
		t.Fatal(err)
	}
	var out []Existing
	for _, o := range objects {
		if e, ok := ReadExisting(o); ok {
			out = append(out, e)
		}
	}
	return out
}

// TestExisting is what stands in the cluster: which crons SSP makes of template
// "f" on the bundle's fedora, and on what the default DataSource is left.
func TestExisting(t *testing.T) {
	t.Parallel()
	const both = "f-amd64 created, f-arm64 created"
	for _, tc := range []struct {
		reason, existing string
		crons            string
		standard         string // spec.source of fedora-amd64
	}{
		{"an empty cluster", "", both, "map[]"},
		{"other kinds say nothing", "{kind: VolumeSnapshot, metadata: {name: fedora-arm64, namespace: kubevirt-os-images}}", both, "map[]"},
		{"a PVC in another namespace says nothing", "{kind: PersistentVolumeClaim, metadata: {name: fedora-arm64, namespace: default}}", both, "map[]"},
		{"a PVC of the DataSource's name", fedoraArmPVC, "f-amd64 created, f-arm64 notCreated", "map[]"},
		{
			"a DataSource that says a cron fills it takes no notice of the PVC",
			fedoraArmPVC + "," + existing("fedora-arm64", "cdi.kubevirt.io/dataImportCron: old", "spec: {source: {}}"), both, "map[]",
		},
		{
			"the value of the label does not count",
			fedoraArmPVC + "," + existing("fedora-arm64", "cdi.kubevirt.io/dataImportCron: ''", "spec: {source: {}}"), both, "map[]",
		},
		{
			"a DataSource without the label and without a PVC is taken over",
			existing("fedora-arm64", "mine: x", "spec: {source: {}}"), both, "map[]",
		},
		{
			"the PVC of the time before, for the default architecture", fedoraPVC,
			"f-amd64 notCreated, f-arm64 created", "map[pvc:map[name:fedora namespace:kubevirt-os-images]]",
		},
		{
			"the default DataSource is there, labelled: the old PVC says nothing",
			fedoraPVC + "," + existing("fedora-amd64", "cdi.kubevirt.io/dataImportCron: f-amd64", "spec: {source: {snapshot: {name: s, namespace: other}}}"),
			both, "map[snapshot:map[name:s namespace:other]]",
		},
		{
			"CDI has not seen the default DataSource yet: it is left as it is",
			existing("fedora-amd64", "", "spec: {source: {pvc: {name: mine, namespace: kubevirt-os-images}}}"),
			"f-amd64 notCreated, f-arm64 created", "map[pvc:map[name:mine namespace:kubevirt-os-images]]",
		},
		{
			"the default DataSource is ready on the old PVC: it stays there",
			existing("fedora-amd64", "", "spec: {source: {pvc: {name: fedora, namespace: kubevirt-os-images}}}, status: {conditions: [{type: Ready, status: 'True'}]}"),
			"f-amd64 notCreated, f-arm64 created", "map[pvc:map[name:fedora namespace:kubevirt-os-images]]",
		},
		{
			"it is not ready: the cron takes it",
			existing("fedora-amd64", "", "spec: {source: {pvc: {name: fedora, namespace: kubevirt-os-images}}}, status: {conditions: [{type: Ready, status: 'False'}]}"),
			both, "map[pvc:map[name:fedora namespace:kubevirt-os-images]]",
		},
		{
			"it is ready on another PVC: the cron takes it",
			existing("fedora-amd64", "", "spec: {source: {pvc: {name: x, namespace: kubevirt-os-images}}}, status: {conditions: [{type: Ready, status: 'True'}]}"),
			both, "map[pvc:map[name:x namespace:kubevirt-os-images]]",
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			f := Predict(Input{CR: on(t, dict("f", "fedora", claims("amd64,arm64"))), Cluster: mixed(), Existing: readExisting(t, tc.existing)})
			if got := outcomes(f.Crons); got != tc.crons {
				t.Errorf("crons: want %s, got %s", tc.crons, got)
			}
			for _, c := range f.Crons {
				if (c.Why == "") != (c.Outcome == Created) {
					t.Errorf("what is not created has a reason: %+v", c)
				}
			}
			if got := fmt.Sprint(sourceOf(f, "fedora-amd64")); got != tc.standard {
				t.Errorf("fedora-amd64: want %s, got %s", tc.standard, got)
			}
		})
	}
}

// TestExistingCustom: SSP looks at nothing for DataSources that are not of the
// bundle, and CDI leaves alone what no cron is said to fill.
func TestExistingCustom(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ reason, existing, owners string }{
		{"nothing there", "", "x SSP, x-amd64 CDI by c-amd64, x-arm64 CDI by c-arm64"},
		{"a PVC says nothing", strings.ReplaceAll(fedoraArmPVC, "fedora", "x"), "x SSP, x-amd64 CDI by c-amd64, x-arm64 CDI by c-arm64"},
		{"a DataSource without label is nobody's", existing("x-arm64", "", "spec: {source: {}}"), "x SSP, x-amd64 CDI by c-amd64, x-arm64 other"},
		{
			"one that an old cron filled is taken over",
			existing("x-arm64", "cdi.kubevirt.io/dataImportCron: old, app.kubernetes.io/managed-by: cdi-controller", "spec: {source: {}}"),
			"x SSP, x-amd64 CDI by c-amd64, x-arm64 CDI by c-arm64",
		},
		{
			"SSP deletes one of its own that it is not to make, and CDI makes it anew",
			"{kind: DataSource, metadata: {name: x-arm64, namespace: kubevirt-os-images, annotations: {operator-sdk/primary-resource-type: SSP.ssp.kubevirt.io}}}",
			"x SSP, x-amd64 CDI by c-amd64, x-arm64 CDI by c-arm64",
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			f := Predict(Input{CR: on(t, dict("c", "x", claims("amd64,arm64"))), Cluster: mixed(), Existing: readExisting(t, tc.existing)})
			var list []string
			for _, d := range f.DataSources {
				s := d.Name + " " + string(d.Owner)
				if d.FilledBy != "" {
					s += " by " + d.FilledBy
				}
				list = append(list, s)
			}
			if got := strings.Join(list, ", "); got != tc.owners {
				t.Errorf("want %s, got %s", tc.owners, got)
			}
		})
	}
}

// TestGateOffKeepsPointer: when the gate goes off, the DataSource keeps pointing
// at the one of the default architecture until CDI imports again.
func TestGateOffKeepsPointer(t *testing.T) {
	t.Parallel()
	cr := on(t, dict("f", "fedora", claims("amd64,arm64")))
	cr.Gate = hyperconverged.Gate{}
	f := Predict(Input{
		CR:       cr,
		Cluster:  mixed(),
		Existing: readExisting(t, existing("fedora", "", "spec: {source: {dataSource: {name: fedora-amd64, namespace: kubevirt-os-images}}}")),
	})
	if got := fmt.Sprint(sourceOf(f, "fedora")); got != "map[dataSource:map[name:fedora-amd64 namespace:kubevirt-os-images]]" || outcomes(f.Crons) != "f created" {
		t.Errorf("got %s, crons %s", got, outcomes(f.Crons))
	}
}

func outcomes(crons []CronOutcome) string {
	var list []string
	for _, c := range crons {
		list = append(list, c.Name+" "+string(c.Outcome))
	}
	return strings.Join(list, ", ")
}

func sourceOf(f Forecast, name string) map[string]any {
	for _, o := range f.DataSourcesAfterCDI {
		if o.Name() == name {
			return o.Child("spec", "source")
		}
	}
	return nil
}

// TestCleanupLabel: a DataSource that no cron fills any more keeps CDI's cleanup
// label up to the SSP of HCO 1.19. From that of 1.20 on SSP removes it
// (ssp-operator#1883). A release that is not declared counts as the newest one.
func TestCleanupLabel(t *testing.T) {
	t.Parallel()
	left := existing("fedora-arm64", "cdi.kubevirt.io/dataImportCron: f-arm64, cdi.kubevirt.io/dataImportCron.cleanup: 'true'", "spec: {source: {}}")
	for release, want := range map[string]bool{"": false, "1.19": true, "1.20": false, "5.0": true, "5.1": false} {
		parsed, err := v1alpha1.ParseRelease(release)
		if err != nil && release != "" {
			t.Fatal(err)
		}
		cr := on(t, dict("f", "fedora", claims("amd64")))
		f := Predict(Input{CR: cr, Cluster: mixed(), Release: parsed, Table: hyperconverged.None(), Existing: readExisting(t, left)})
		found := false
		for _, o := range append(f.DataSourcesBySSP, f.DataSourcesAfterCDI...) {
			if o.Name() != "fedora-arm64" {
				continue
			}
			found = true
			_, has := o.Child("metadata", "labels")["cdi.kubevirt.io/dataImportCron.cleanup"]
			if has != want {
				t.Errorf("release %q: want the cleanup label %v, got %v", release, want, has)
			}
		}
		if !found {
			t.Errorf("release %q: no DataSource fedora-arm64 in the prediction", release)
		}
	}
}
