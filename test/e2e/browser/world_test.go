package browser

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// images are the golden images of the fleet, with the architectures that each has.
var images = []struct{ name, has string }{
	{"fedora", "amd64 arm64"},
	{"centos-stream10", "amd64 arm64"},
	{"ubuntu-2404", "amd64 arm64"},
	{"opensuse-leap", "amd64 arm64"},
	{"debian-13", "amd64 arm64"},
	{"windows-2025", "amd64"},
	{"appliance", "amd64"},
}

// fault is what is wrong with a cluster.
type fault int

const (
	nothing fault = iota
	lacksArchitecture
	gateOff
	declaresNothing
)

// faultOf returns what is wrong with the cluster of a number: with 11 of 40.
func faultOf(i int) fault {
	switch i % 40 {
	case 3, 5, 11, 19, 23:
		return lacksArchitecture
	case 7, 13, 27, 31:
		return gateOff
	case 17, 37:
		return declaresNothing
	default:
		return nothing
	}
}

// clusterName returns the name of a cluster of the fleet.
func clusterName(i int) string {
	return fmt.Sprintf("%s-%02d", []string{"berlin", "dublin", "osaka", "toronto"}[i%4], i/4+1)
}

// fleet returns the files of a repository of so many clusters, each with a CR and a lock.
func fleet(n int) map[string]string {
	files := map[string]string{
		"goldenarch.yaml": "apiVersion: goldenarch.dev/v1alpha1\nkind: Fleet\nmetadata: {name: fleet}\nclusters:\n- paths: [clusters/*]\n" +
			"  release: \"1.19\"\n  workloadArchitectures: [amd64, arm64]\n  controlPlaneArchitectures: [amd64]\n",
	}
	for i := range n {
		dir := "clusters/" + clusterName(i) + "/"
		files[dir+"hyperconverged.yaml"] = hyperConverged(faultOf(i))
		files[dir+"golden-images.lock.yaml"] = lock
		if i%10 == 3 {
			files[dir+"machines.yaml"] = machines
		}
	}
	return files
}

// oneCR returns the files of a cluster whose golden images and machines are wrong in several ways.
func oneCR() map[string]string {
	files := fleet(4)
	out := map[string]string{"goldenarch.yaml": strings.Replace(files["goldenarch.yaml"], "clusters/*", "openshift-virtualization", 1)}
	for _, name := range []string{"hyperconverged.yaml", "golden-images.lock.yaml", "machines.yaml"} {
		out["openshift-virtualization/"+name] = files["clusters/"+clusterName(3)+"/"+name]
	}
	return out
}

// hyperConverged returns a CR of which something is wrong.
func hyperConverged(wrong fault) string {
	var b strings.Builder
	fmt.Fprintf(&b, "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata:\n  name: kubevirt-hyperconverged\n  namespace: openshift-cnv\n"+
		"spec:\n  enableCommonBootImageImport: false\n  featureGates:\n    enableMultiArchBootImageImport: %t\n  dataImportCronTemplates:\n", wrong != gateOff)
	for _, image := range images {
		declared := strings.ReplaceAll(image.has, " ", ",")
		if image.name == "appliance" && wrong == nothing {
			continue
		}
		if image.name == "windows-2025" && wrong == nothing {
			continue
		}
		if image.name == "windows-2025" && wrong == lacksArchitecture {
			declared = "amd64,arm64"
		}
		annotations := "\n      annotations:\n        ssp.kubevirt.io/dict.architectures: " + declared
		if image.name == "appliance" && wrong == declaresNothing {
			annotations = ""
		}
		fmt.Fprintf(&b, "  - metadata:\n      name: golden-%[1]s%[2]s\n    spec:\n      managedDataSource: %[1]s\n      schedule: \"0 */12 * * *\"\n"+
			"      template:\n        spec:\n          source:\n            registry:\n              url: docker://mirror.example.com/golden/%[1]s:latest\n"+
			"          storage:\n            resources:\n              requests:\n                storage: 30Gi\n", image.name, annotations)
	}
	return b.String()
}

// lock has what the registry said about the images.
var lock = func() string {
	text := "apiVersion: goldenarch.dev/v1alpha1\nkind: ArchitectureLock\nmetadata:\n  name: golden-images\n  annotations:\n" +
		"    config.kubernetes.io/local-config: \"true\"\nimages:\n"
	for i, image := range images {
		text += fmt.Sprintf("- reference: mirror.example.com/golden/%s:latest\n  digest: sha256:%064d\n"+
			"  mediaType: application/vnd.oci.image.index.v1+json\n  platforms:\n", image.name, i+1)
		for k, a := range strings.Fields(image.has) {
			text += fmt.Sprintf("  - {os: linux, architecture: %s, digest: \"sha256:%064d\"}\n", a, 100+10*i+k)
		}
	}
	return text
}()

// machines are two virtual machines, of which one wants a golden image that its nodes do not have.
const machines = `apiVersion: kubevirt.io/v1
kind: VirtualMachine
metadata: {name: web, namespace: shop}
spec:
  runStrategy: Always
  dataVolumeTemplates:
  - metadata: {name: web-root}
    spec:
      sourceRef: {kind: DataSource, name: fedora, namespace: openshift-virtualization-os-images}
      storage: {resources: {requests: {storage: 30Gi}}}
  template:
    spec:
      architecture: amd64
      domain: {devices: {disks: [{name: root, disk: {bus: virtio}}]}, memory: {guest: 2Gi}}
      volumes: [{name: root, dataVolume: {name: web-root}}]
---
apiVersion: kubevirt.io/v1
kind: VirtualMachine
metadata: {name: directory, namespace: office}
spec:
  runStrategy: Always
  dataVolumeTemplates:
  - metadata: {name: directory-root}
    spec:
      sourceRef: {kind: DataSource, name: windows-2025, namespace: openshift-virtualization-os-images}
      storage: {resources: {requests: {storage: 60Gi}}}
  template:
    spec:
      architecture: arm64
      domain: {devices: {disks: [{name: root, disk: {bus: virtio}}]}, memory: {guest: 4Gi}}
      volumes: [{name: root, dataVolume: {name: directory-root}}]
`

// changed returns a repository whose last commit corrects a cluster, and breaks another.
func changed(t *testing.T) string {
	t.Helper()
	files := fleet(6)
	dir := filetest.New(t, files)
	git := func(args ...string) {
		t.Helper()
		command := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"}, args...)...)
		command.Dir = dir
		if text, err := command.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, text)
		}
	}
	git("init", "--quiet")
	git("add", ".")
	git("commit", "--quiet", "-m", "before")
	filetest.Write(t, dir, map[string]string{
		"clusters/" + clusterName(5) + "/hyperconverged.yaml": hyperConverged(nothing),
		"clusters/" + clusterName(0) + "/hyperconverged.yaml": hyperConverged(gateOff),
	})
	git("commit", "--quiet", "-a", "-m", "after")
	return dir
}

// evil would be an element, or run, if it were not escaped where it stands: in a text, in an attribute, in a script.
const evil = `x"'></h3><script>window.ran=1</script><img src=q onerror=window.ran=1><!--</style></title></script>${window.ran=1}`

// hostile returns a repository whose clusters, templates, images and machines have names that would be elements.
func hostile() map[string]string {
	files := map[string]string{}
	name := strings.ReplaceAll(evil, "/", "")
	for path, text := range fleet(4) {
		path = strings.ReplaceAll(path, clusterName(3), name)
		for _, one := range []string{"windows-2025", "appliance", "directory"} {
			text = strings.ReplaceAll(text, "name: golden-"+one, "name: "+quoted(evil+one))
			text = strings.ReplaceAll(text, "name: "+one+",", "name: "+quoted(evil+one)+",")
		}
		files[path] = strings.ReplaceAll(text, "managedDataSource: appliance", "managedDataSource: "+quoted(evil))
	}
	return files
}
