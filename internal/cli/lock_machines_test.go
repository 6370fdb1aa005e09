package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLockOfMachines: a lock has the images of machines, so that a check without a network knows
// their disks. An image that cannot be looked up is a warning.
func TestLockOfMachines(t *testing.T) {
	t.Parallel()
	const vm = "apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: {name: NAME, namespace: vms}\nspec:\n  template:\n    spec:\n" +
		"      architecture: amd64\n      domain: {devices: {}}\n      volumes: [{name: root, containerDisk: {image: 'IMAGE'}}]\n"
	machine := func(tree *lockedTree, name, image string) string {
		return strings.NewReplacer("NAME", name, "IMAGE", tree.ref(image)).Replace(vm)
	}
	check := []string{
		"check", "DIR", "--offline", "--release", "1.19", "--workload-architectures", "amd64", "--control-plane-architectures", "amd64",
	}
	for _, tc := range []struct {
		reason string
		cr     bool
		image  string
		locked string // what the lock names beside the CR's images
		want   string // of the check of the machine
	}{
		{"beside a CR", true, "x/single:1", "x/single:1", "image HOST/x/single:1 amd64"},
		{"machines alone", false, "x/single:1", "x/single:1", "image HOST/x/single:1 amd64"},
		{"an image that nobody has", true, "x/missing:1", "x/fedora:1", "image HOST/x/missing:1 ?"},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			tree := newLockedTree(t)
			if !tc.cr {
				tree.write("hco.yaml", "")
			}
			tree.write("vm.yaml", machine(tree, "a", tc.image))
			status, _, stderr := tree.run(nil, "lock", "DIR")
			if text := tree.read("golden-images.lock.yaml"); status != 0 || !strings.Contains(text, tree.ref(tc.locked)) {
				t.Fatalf("status %d\n%s\n%s", status, stderr, text)
			}
			if missing := strings.Contains(tc.image, "missing"); missing != strings.Contains(stderr, "warning GA909") {
				t.Errorf("lock says\n%s", stderr)
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
