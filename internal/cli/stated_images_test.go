package cli

import (
	"slices"
	"strings"
	"testing"
)

// TestStatedImagesCountEverywhere: what a person states about an image counts alike for each object
// that names it, whether a flag, the overrides of a configuration or its imageArchitectures state
// it. No registry is asked, and no statement that decides something matches nothing.
func TestStatedImagesCountEverywhere(t *testing.T) {
	t.Parallel()
	const image = "registry.example.com/a:1"
	const head = "apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: {name: m, namespace: n}\nspec:\n"
	const boots = "  dataVolumeTemplates:\n  - metadata: {name: root}\n    spec:\n      SOURCE\n" +
		"  template:\n    spec:\n      architecture: amd64\n      domain: {devices: {}}\n      volumes: [{name: root, dataVolume: {name: root}}]\n"
	machine := func(line string) string {
		return head + "  template:\n    spec:\n      architecture: amd64\n      " + line + "\n"
	}
	const template = "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged}\n" +
		"spec:\n  featureGates: {enableMultiArchBootImageImport: true}\n  dataImportCronTemplates:\n" +
		"  - metadata: {name: t, annotations: {ssp.kubevirt.io/dict.architectures: 'amd64,arm64'}}\n" +
		"    spec: {managedDataSource: t, schedule: '0 1 * * *', template: {spec: {source: {registry: {url: 'docker://" + image + "'}}, " +
		"storage: {resources: {requests: {storage: 5Gi}}}}}}\n"
	const cron = "---\napiVersion: cdi.kubevirt.io/v1beta1\nkind: DataImportCron\nmetadata: {name: c, namespace: n}\nspec:\n" +
		"  managedDataSource: own\n  schedule: '0 1 * * *'\n  template: {spec: {source: {registry: {url: 'docker://" + image + "'}}, " +
		"storage: {resources: {requests: {storage: 5Gi}}}}}\n"
	const pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: n}\nspec: {containers: [{name: c, image: '" + image + "'}]}\n"
	sources := []struct{ reason, config string }{
		{"a flag", ""},
		{
			"overrides",
			"apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g}\nspec: {overrides: [{image: '" + image + "', architectures: [ARCH]}]}\n",
		},
		{
			"imageArchitectures",
			"apiVersion: goldenarch.dev/v1alpha1\nkind: WorkloadArchitectures\nmetadata: {name: w}\nspec: {mode: MODE, imageArchitectures: {'" + image + "': [ARCH]}}\n",
		},
	}
	for _, tc := range []struct {
		reason string
		text   string
		args   []string
		fits   string // what the report has if the image has amd64 and arm64
		fails  string // what it has if the image has arm64 alone
	}{
		{"a template", template, nil, "RightAsCommitted", "registry.example.com/a:1 has"},
		{"a container disk", machine("volumes: [{name: d, containerDisk: {image: '" + image + "'}}]"), nil, "1 machine: 1 starts", "error GA903"},
		{
			"the source of a DataVolume", head + strings.Replace(boots, "SOURCE", "source: {registry: {url: 'docker://"+image+"'}}", 1),
			nil, "1 machine: 1 depends", "error GA903",
		},
		{
			"a DataImportCron in Git", head + strings.Replace(boots, "SOURCE", "sourceRef: {kind: DataSource, name: own}", 1) + cron,
			nil, "1 machine: 1 depends", "error GA903",
		},
		{"a kernel", machine("domain: {firmware: {kernelBoot: {container: {image: '" + image + "'}}}}"), nil, "1 machine: 1 starts", "error GA903"},
		{"a pod", pod, []string{"--workloads", "Check"}, "RightAsCommitted", "error GA701"},
	} {
		for _, source := range sources {
			for architectures, want := range map[string]string{"amd64,arm64": tc.fits, "arm64": tc.fails} {
				mode := "None"
				if tc.args != nil {
					mode = "Check"
				}
				config := strings.NewReplacer("ARCH", architectures, "MODE", mode).Replace(source.config)
				dir := writeTree(t, map[string]string{"in/a.yaml": tc.text, "in/config.yaml": config})
				args := slices.Concat([]string{
					"check", "in", "--offline", "--release", "1.19", "--workload-architectures", "amd64,arm64", "--control-plane-architectures", "amd64",
				}, tc.args)
				if config == "" {
					args = append(args, "--image", image+"="+architectures)
				}
				out, messages, _ := runIn(t, dir, args...)
				if !strings.Contains(out, want) || strings.Contains(out, "GA206") {
					t.Errorf("%s, %s of %s: want %q, and no GA206, in\n%s%s", tc.reason, source.reason, architectures, want, out, messages)
				}
			}
		}
	}
}

// TestImageStatedTwice: the same statement twice is no mistake, and two different ones are.
func TestImageStatedTwice(t *testing.T) {
	t.Parallel()
	const vm = "apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: {name: m, namespace: n}\n" +
		"spec: {template: {spec: {domain: {devices: {}}, volumes: [{name: d, containerDisk: {image: 'example.com/a:1'}}]}}}\n"
	config := func(architectures ...string) string {
		out := "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g}\nspec:\n  overrides:\n"
		for _, one := range architectures {
			out += "  - {image: 'example.com/a:1', architectures: [" + one + "]}\n"
		}
		return out
	}
	const pods = "apiVersion: goldenarch.dev/v1alpha1\nkind: WorkloadArchitectures\nmetadata: {name: w}\n" +
		"spec: {mode: None, imageArchitectures: {'example.com/a:1': [arm64]}}\n"
	for _, tc := range []struct {
		reason string
		config string
		beside string // in the input
		args   []string
		says   string
		status int
	}{
		{reason: "the same override twice", config: config("amd64", "amd64"), says: "1 machine: 1 starts"},
		{reason: "two different ones", config: config("amd64", "arm64"), says: "error GA005 GoldenImages/g spec.overrides[1].image", status: 1},
		{reason: "the same of two kinds", config: config("arm64"), beside: pods, says: "error GA903", status: 1},
		{reason: "different ones of two kinds", config: config("amd64"), beside: pods, says: "state different architectures", status: 1},
		{reason: "a flag wins", config: config("arm64"), args: []string{"--image", "example.com/a:1=amd64"}, says: "1 machine: 1 starts"},
		{reason: "the same flag twice", args: []string{"--image", "example.com/a:1=amd64", "--image", "example.com/a:1=x86_64"}, says: "1 machine: 1 starts"},
		{
			reason: "two different flags", args: []string{"--image", "example.com/a:1=amd64", "--image", "example.com/a:1=arm64"},
			says: "different architectures of example.com/a:1: amd64 and arm64", status: 2,
		},
		{reason: "nothing has the image", args: []string{"--image", "example.com/b:1=amd64", "--allow-empty"}, says: "warning GA206"},
	} {
		dir := writeTree(t, map[string]string{"in/a.yaml": vm, "in/pods.yaml": tc.beside, "config.yaml": tc.config})
		args := slices.Concat([]string{
			"check", "in", "--offline", "--release", "1.19", "--workload-architectures", "amd64", "--control-plane-architectures", "amd64",
		}, tc.args)
		if tc.config != "" {
			args = append(args, "--config", "config.yaml")
		}
		out, messages, status := runIn(t, dir, args...)
		if status != tc.status || !strings.Contains(out+messages, tc.says) {
			t.Errorf("%s: want %q and the status %d, got %d\n%s%s", tc.reason, tc.says, tc.status, status, out, messages)
		}
	}
}

// TestLegacyImageStreams: of an image of several architectures, OpenShift keeps one, and which one depends on the node that imports it.
// Where all nodes have one architecture, that is a warning. Otherwise nothing is known of the template, also for machines and fix,
// unless a person states it.
func TestLegacyImageStreams(t *testing.T) {
	t.Parallel()
	const text = "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\n" +
		"metadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged}\n" +
		"spec:\n  featureGates: {enableMultiArchBootImageImport: true}\n  dataImportCronTemplates:\n" +
		"  - metadata: {name: a, annotations: {ssp.kubevirt.io/dict.architectures: 'amd64,arm64'}}\n    spec:\n      schedule: '0 0 * * *'\n" +
		"      managedDataSource: a\n      template: {spec: {source: {registry: {imageStream: a, pullMethod: node}}, storage: {resources: {requests: {storage: 9Gi}}}}}\n" +
		"---\napiVersion: image.openshift.io/v1\nkind: ImageStream\nmetadata: {name: a, namespace: kubevirt-os-images}\n" +
		"spec: {tags: [{name: latest, from: {kind: DockerImage, name: 'quay.io/x/a:1'}, importPolicy: {scheduled: true, importMode: MODE}}]}\n"
	const machine = "---\napiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: {name: m, namespace: n}\nspec:\n  runStrategy: Always\n" +
		"  dataVolumeTemplates: [{metadata: {name: d}, spec: {sourceRef: {kind: DataSource, name: a-amd64, namespace: kubevirt-os-images}, storage: {}}}]\n" +
		"  template: {spec: {architecture: amd64, domain: {devices: {}}, volumes: [{name: d, dataVolume: {name: d}}]}}\n"
	for _, tc := range []struct {
		reason, mode, nodes, controlPlane string
		args                              []string
		want, machines                    string
	}{
		{"several architectures", "Legacy", "amd64,arm64", "amd64", nil, "error GA204", "1 unknown"},
		{"all are kept", "PreserveOriginal", "amd64,arm64", "amd64", nil, "passed: RightAsCommitted", "1 starts"},
		{"one architecture", "Legacy", "amd64", "amd64", nil, "warning GA204", "1 starts"},
		{"another control plane", "Legacy", "amd64", "arm64", nil, "error GA204", "1 unknown"},
		{"a person leaves it", "Legacy", "amd64,arm64", "amd64", []string{"--set", "unresolved=Keep"}, "passed: RightAsCommitted", "1 starts"},
	} {
		dir := writeTree(t, map[string]string{"a.yaml": strings.Replace(text, "MODE", tc.mode, 1) + machine})
		args := append([]string{
			"--offline", "--release", "1.19", "--workload-architectures", tc.nodes, "--control-plane-architectures", tc.controlPlane,
			"--image", "quay.io/x/a:1=amd64,arm64",
		}, tc.args...)
		out, errs, _ := runIn(t, dir, append([]string{"check", "a.yaml"}, args...)...)
		if !strings.Contains(out, tc.want) || !strings.Contains(out, "1 machine: "+tc.machines) {
			t.Errorf("%s: want %q and %q\n%s%s", tc.reason, tc.want, tc.machines, out, errs)
		}
		_, errs, status := runIn(t, dir, append([]string{"fix", "a.yaml"}, args...)...)
		if fails := strings.HasPrefix(tc.want, "error"); fails != (status == statusFailed) || fails && !strings.Contains(errs, "error GA204") {
			t.Errorf("%s: want fix to refuse: %t, got status %d\n%s", tc.reason, fails, status, errs)
		}
	}
}
