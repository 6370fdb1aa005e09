package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLockOfMachines: a lock has the images of machines, so that a check without a network knows
// their disks. If one image cannot be looked up, the lock stays as it is, and the status is 1.
func TestLockOfMachines(t *testing.T) {
	t.Parallel()
	const vm = "apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: {name: NAME, namespace: vms}\nspec:\n  template:\n    spec:\n" +
		"      architecture: amd64\n      domain: {devices: {}}\n      volumes: [{name: root, containerDisk: {image: 'IMAGE'}}]\n"
	const cron = "apiVersion: cdi.kubevirt.io/v1beta1\nkind: DataImportCron\nmetadata: {name: c, namespace: vms}\nspec:\n  managedDataSource: c\n" +
		"  template: {spec: {source: {registry: {url: 'docker://IMAGE'}}, storage: {resources: {requests: {storage: 5Gi}}}}}\n"
	check := []string{
		"check", "DIR", "--offline", "--release", "1.19", "--workload-architectures", "amd64", "--control-plane-architectures", "amd64",
	}
	for _, tc := range []struct {
		reason string
		cr     bool
		image  string
		cron   string   // the image of a DataImportCron beside the machine
		locked string   // what the lock has; "" for no lock
		want   string   // of the check of the machine
		fails  []string // what the errors of lock and of lock --check name
	}{
		{reason: "beside a CR", cr: true, image: "x/single:1", locked: "x/single:1", want: "image HOST/x/single:1 amd64"},
		{reason: "machines alone", image: "x/single:1", locked: "x/single:1", want: "image HOST/x/single:1 amd64"},
		{
			reason: "an image that nobody has", image: "x/missing:1", want: "image HOST/x/missing:1 ?",
			fails: []string{"error GA201 VirtualMachine/a ", "HOST/x/missing:1", "spec.overrides"},
		},
		{
			reason: "beside a CR whose images all have answers: no half lock", cr: true, image: "x/missing:1", want: "image HOST/x/missing:1 ?",
			fails: []string{"error GA201 VirtualMachine/a ", "HOST/x/missing:1"},
		},
		{
			reason: "the image of a DataImportCron in Git", image: "x/single:1", cron: "x/missing:1", want: "image HOST/x/single:1 ?",
			fails: []string{"error GA201: ", "HOST/x/missing:1"},
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			tree := newLockedTree(t)
			if !tc.cr {
				tree.write("hco.yaml", "")
			}
			tree.write("vm.yaml", strings.NewReplacer("NAME", "a", "IMAGE", tree.ref(tc.image)).Replace(vm))
			if tc.cron != "" {
				tree.write("cron.yaml", strings.ReplaceAll(cron, "IMAGE", tree.ref(tc.cron)))
			}
			status, _, stderr := tree.run(nil, "lock", "DIR")
			text := tree.read("golden-images.lock.yaml")
			if failed := status == 1; failed != (tc.fails != nil) || failed != (text == "") || !strings.Contains(text, tc.locked) {
				t.Fatalf("status %d\n%s\n%s", status, stderr, text)
			}
			checked, _, said := tree.run(nil, "lock", "DIR", "--check")
			if checked != status {
				t.Errorf("lock --check: want the status %d, got %d\n%s", status, checked, said)
			}
			for _, want := range tc.fails {
				if want = strings.ReplaceAll(want, "HOST", tree.registry.Host()); !strings.Contains(stderr, want) || !strings.Contains(said, want) {
					t.Errorf("want %q in\n%s\nand of lock --check in\n%s", want, stderr, said)
				}
			}
			_, stdout, stderr := tree.run(nil, append([]string{}, check...)...)
			if want := strings.ReplaceAll(tc.want, "HOST", tree.registry.Host()); !strings.Contains(stdout, want) {
				t.Errorf("want %q in\n%s%s", want, stdout, stderr)
			}
		})
	}
}

// TestLockOfMachinesInRepository: machines that the Fleet states are locked as well, beside the
// cluster with the CR and alone. With --prune, their images stay in a lock that both share.
func TestLockOfMachinesInRepository(t *testing.T) {
	t.Parallel()
	const fleet = "apiVersion: goldenarch.dev/v1alpha1\nkind: Fleet\nmetadata: {name: f}\nclusters:\n- paths: [vms]\n" +
		"  release: \"1.19\"\n  workloadArchitectures: [amd64]\n  controlPlaneArchitectures: [amd64]\n"
	const vm = "apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: {name: a, namespace: vms}\nspec:\n  template:\n    spec:\n" +
		"      architecture: amd64\n      domain: {devices: {}}\n      volumes: [{name: root, containerDisk: {image: 'IMAGE'}}]\n"
	for _, tc := range []struct {
		reason, cr string
		args       []string
		lock       string // the file with the image of the machine
	}{
		{"machines alone", "", nil, "vms/golden-images.lock.yaml"},
		{"beside a cluster", "a/hco.yaml", nil, "vms/golden-images.lock.yaml"},
		{"in a lock for all", "a/hco.yaml", []string{"--prune", "--file", "DIR/all.lock.yaml"}, "all.lock.yaml"},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			tree := newLockedTree(t)
			cr := tree.read("hco.yaml")
			if err := os.Remove(filepath.Join(tree.dir, "hco.yaml")); err != nil {
				t.Fatal(err)
			}
			if tc.cr != "" {
				tree.write(tc.cr, cr)
			}
			tree.write("goldenarch.yaml", fleet)
			tree.write("vms/vm.yaml", strings.ReplaceAll(vm, "IMAGE", tree.ref("x/single:1")))
			status, _, stderr := tree.run(nil, append([]string{"lock", "DIR"}, tc.args...)...)
			if status != 0 {
				t.Fatalf("status %d\n%s", status, stderr)
			}
			if text := tree.read(tc.lock); !strings.Contains(text, tree.ref("x/single:1")) {
				t.Errorf("%s\n%s", stderr, text)
			}
			if status, _, stderr := tree.run(nil, append([]string{"lock", "DIR", "--check"}, tc.args...)...); status != 0 {
				t.Errorf("a second run differs: status %d\n%s", status, stderr)
			}
		})
	}
}
