package transition

import (
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/machine"
	objects "github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/operators/sequence"
)

// dumpOf reads YAML documents as a dump.
func dumpOf(t *testing.T, text string) *Dump {
	t.Helper()
	d := &Dump{}
	for one := range strings.SplitSeq(text, "---\n") {
		var tree map[string]any
		if err := k8syaml.Unmarshal([]byte(one), &tree); err != nil {
			t.Fatal(err)
		}
		d.Read(expansion.Object(tree))
		list, found := machine.Find(objects.All([]*yaml.RNode{yaml.MustParse(one)}))
		if found.Failed() {
			t.Fatal(found)
		}
		for _, m := range list {
			d.Use(m, "")
		}
	}
	return d
}

// TestLeftoversInUse: what a machine uses in any way is kept, and without machines in the dump
// the command says what to look at first.
func TestLeftoversInUse(t *testing.T) {
	t.Parallel()
	const claim = "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: x, namespace: i, labels: {cdi.kubevirt.io/dataImportCron: gone}}\n"
	const made = "apiVersion: cdi.kubevirt.io/v1beta1\nkind: DataSource\n" +
		"metadata: {name: rhel9-amd64, namespace: i, labels: {cdi.kubevirt.io/dataImportCron: gone}}\n" +
		"spec: {source: {pvc: {name: x, namespace: i}}}\n"
	const pointer = "apiVersion: cdi.kubevirt.io/v1beta1\nkind: DataSource\nmetadata: {name: rhel9, namespace: i}\n" +
		"spec: {source: {dataSource: {name: rhel9-amd64, namespace: i}}}\n"
	vm := func(spec string) string {
		return "apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: {name: a, namespace: i}\nspec: " + spec + "\n"
	}
	for _, tc := range []struct {
		reason string
		dump   []string
		users  []string // kinds
		says   string   // in the commands
	}{
		{
			"a DataSource points at one that sorts after it",
			[]string{claim, made, pointer, vm(
				"{dataVolumeTemplates: [{metadata: {name: d}, spec: {sourceRef: {kind: DataSource, name: rhel9, namespace: i}}}], template: {spec: {}}}")},
			[]string{"DataSource", "VirtualMachine"},
			"",
		},
		{
			"a machine names the DataVolume",
			[]string{claim, vm("{template: {spec: {volumes: [{name: v, dataVolume: {name: x}}]}}}")},
			[]string{"VirtualMachine"},
			"",
		},
		{"nothing uses it", []string{claim, vm("{template: {spec: {}}}")}, nil, "oc delete -n i persistentvolumeclaim x"},
		{"the dump has no machines", []string{claim}, nil, "# the dump has no VirtualMachine"},
	} {
		d := dumpOf(t, strings.Join(tc.dump, "---\n"))
		p := planner{dump: d, digests: digestsOf(d.state), sizes: nil}
		var of *Leftover
		for _, one := range p.leftovers(d.state, d.state) {
			if one.Kind == "PersistentVolumeClaim" {
				of = &one
			}
		}
		if of == nil {
			t.Fatalf("%s: the claim is no leftover", tc.reason)
		}
		var kinds []string
		for _, u := range of.UsedBy {
			kinds = append(kinds, u.Kind)
		}
		if strings.Join(kinds, " ") != strings.Join(tc.users, " ") || of.Keep != (len(tc.users) > 0) ||
			!strings.Contains(strings.Join(of.Commands, "\n"), tc.says) || tc.says == "" && len(of.Commands) > 0 {
			t.Errorf("%s: used by %q, commands %q", tc.reason, kinds, of.Commands)
		}
	}
}

// TestClassOfSnapshotsIsKnown: the class of a snapshot is no storage class, and not missing.
func TestClassOfSnapshotsIsKnown(t *testing.T) {
	t.Parallel()
	d := dumpOf(t, "apiVersion: snapshot.storage.k8s.io/v1\nkind: VolumeSnapshot\nmetadata: {name: s, namespace: i}\nspec: {volumeSnapshotClassName: snaps}\n"+
		"---\napiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: ceph}\n")
	found := d.Findings(Plan{Steps: []Step{{Storage: map[string]Amount{"snaps": {Now: 1}, "ceph": {Now: 1}, "slow": {Now: 1}}}}}, 0)
	if len(found) != 1 || found[0].ID != finding.PlanClass || !strings.Contains(found[0].Text, `"slow"`) {
		t.Errorf("want one finding about slow, got %v", found)
	}
}

// TestClassesOfClaimsAlone: claims do not show all StorageClasses of a cluster.
func TestClassesOfClaimsAlone(t *testing.T) {
	t.Parallel()
	d := dumpOf(t, "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: x, namespace: i}\nspec: {storageClassName: ceph}\n")
	if found := d.Findings(Plan{Steps: []Step{{Storage: map[string]Amount{"slow": {Now: 1}}}}}, 0); len(found) > 0 {
		t.Errorf("want no finding without StorageClasses in the dump, got %v", found)
	}
}

// TestCommandsAreQuoted: people copy the commands, and whoever made the dump chose the names.
func TestCommandsAreQuoted(t *testing.T) {
	t.Parallel()
	const name, namespace = "x;reboot", "a b"
	d := dumpOf(t, "apiVersion: v1\nkind: PersistentVolumeClaim\n"+
		"metadata: {name: '"+name+"', namespace: '"+namespace+"', labels: {cdi.kubevirt.io/dataImportCron: gone}}\n"+
		"---\napiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: {name: a, namespace: i}\nspec: {template: {spec: {}}}\n")
	p := planner{dump: d, digests: digestsOf(d.state), sizes: nil}
	want := "oc delete -n 'a b' persistentvolumeclaim 'x;reboot'"
	if got := p.leftovers(d.state, d.state)[0].Commands; len(got) != 1 || got[0] != want {
		t.Errorf("want %q, got %q", want, got)
	}
	of := func(kind string) []Object { return []Object{{Kind: kind, Namespace: namespace, Name: name}} }
	var state sequence.State
	for _, o := range []sequence.Object{
		{Key: sequence.Key{Kind: sequence.DataSource, Namespace: namespace, Name: name}, Source: map[string]any{"pvc": map[string]any{"name": "v"}}},
		{Key: sequence.Key{Kind: sequence.Claim, Namespace: namespace, Name: "v"}},
	} {
		state.Add(o)
	}
	for i, got := range waits(Step{Appear: of(sequence.Cron), Gaps: of(sequence.DataSource)}, state) {
		want := []string{
			"oc wait -n 'a b' --for=condition=UpToDate --timeout=60m 'dataimportcron/x;reboot'",
			"oc wait -n 'a b' --for=condition=Ready --timeout=60m 'datasource/x;reboot'",
		}[i]
		if got != want {
			t.Errorf("want %q, got %q", want, got)
		}
	}
}

// TestGateCommand: the line sets the gate where the API version and the release keep it.
func TestGateCommand(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason  string
		version hyperconverged.Version
		release string
		on      bool
		want    string
	}{
		{"a gate of v1beta1", hyperconverged.V1beta1, "1.18", true, "# in Git: spec.featureGates.enableMultiArchBootImageImport: true"},
		{"a field of v1", hyperconverged.V1, "1.19", false, "# in Git: spec.workloadSources.enableMultiArchBootImageImport: false"},
		{
			"an entry of v1 has a state", hyperconverged.V1, "1.18", true,
			"# in Git: the entry enableMultiArchBootImageImport of spec.featureGates, state: Enabled",
		},
		{
			"an entry without a state is on", hyperconverged.V1, "1.18", false,
			"# in Git: the entry enableMultiArchBootImageImport of spec.featureGates, state: Disabled",
		},
	} {
		release, err := v1alpha1.ParseRelease(tc.release)
		if err != nil {
			t.Fatal(err)
		}
		if got := gateCommand(&hyperconverged.CR{Version: tc.version}, release, tc.on); got != tc.want {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
		}
	}
}

// TestSizesApart: the message about a budget never names one size twice, nor none at all.
func TestSizesApart(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason     string
		one, other int64
		want       [2]string
	}{
		{"sizes that differ when rounded", 120 << 30, 100 << 30, [2]string{"120 GiB", "100 GiB"}},
		{"sizes that round to the same", 55 << 30, 55<<30 - 1<<20, [2]string{"55Gi", "56319Mi"}},
		{"a budget without a unit", 55 << 30, 10, [2]string{"55Gi", "10"}},
	} {
		one, other := sizesApart(tc.one, tc.other)
		if got := [2]string{one, other}; got != tc.want {
			t.Errorf("%s: got %q, want %q", tc.reason, got, tc.want)
		}
	}
}
