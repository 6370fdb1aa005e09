package fn_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/fn/framework"
	"sigs.k8s.io/kustomize/kyaml/kio"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/fn"
)

// A ResourceList with a CR whose only image is stated, so that no registry is asked.
const exampleList = `apiVersion: config.kubernetes.io/v1
kind: ResourceList
functionConfig:
  apiVersion: goldenarch.dev/v1alpha1
  kind: GoldenImages
  metadata:
    name: golden-images
  spec:
    predefined: none
    cluster:
      workloadArchitectures: [amd64, arm64]
      controlPlaneArchitectures: [amd64]
    overrides:
    - image: quay.io/acme/app:1
      architectures: [amd64, arm64]
items:
- apiVersion: hco.kubevirt.io/v1beta1
  kind: HyperConverged
  metadata:
    name: kubevirt-hyperconverged
    namespace: kubevirt-hyperconverged
  spec:
    dataImportCronTemplates:
    - metadata:
        name: app
      spec:
        managedDataSource: app
        schedule: "0 */12 * * *"
        template:
          spec:
            source:
              registry:
                url: docker://quay.io/acme/app:1
            storage:
              resources:
                requests:
                  storage: 10Gi
`

// The function is a processor of kyaml's framework. An option states the release,
// whatever the configuration says of it.
func ExampleFunction_Process() {
	function := fn.Function{Options: fn.Options{Settings: v1alpha1.GoldenImagesSpec{Release: "1.19"}}}
	var out strings.Builder
	err := framework.Execute(function, &kio.ByteReadWriter{Reader: strings.NewReader(exampleList), Writer: &out, KeepReaderAnnotations: true})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	for line := range strings.Lines(out.String()) {
		if strings.Contains(line, "dict.architectures") {
			fmt.Print(strings.TrimSpace(line))
		}
	}
	// Output: ssp.kubevirt.io/dict.architectures: amd64,arm64
}

// bootc is a registry that a program knows without asking it.
type bootc struct{}

// Resolve implements fn.Resolver.
func (bootc) Resolve(context.Context, fn.Reference) (fn.Image, error) {
	return fn.Image{Platforms: []fn.Platform{{OS: "linux", Architecture: "amd64"}}}, nil
}

// A program answers for images itself, and reads what is wrong with a CR.
func ExampleCheck() {
	rl, err := (&kio.ByteReader{Reader: strings.NewReader(strings.Replace(exampleList, "metadata:\n        name: app",
		"metadata:\n        name: app\n        annotations: {ssp.kubevirt.io/dict.architectures: \"amd64,arm64\"}", 1))}).Read()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	options := fn.Options{Resolver: bootc{}, Settings: v1alpha1.GoldenImagesSpec{Release: "1.19"}}
	options.Settings.Cluster.WorkloadArchitectures = []string{"amd64", "arm64"}
	report, err := fn.Check(context.Background(), rl, options)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	fmt.Println(report.Verdict)
	// Output: NotRight
}

// A program reads which boot sources there will be.
func ExampleForecast() {
	rl, err := (&kio.ByteReader{Reader: strings.NewReader(exampleList)}).Read()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	options := fn.Options{Settings: v1alpha1.GoldenImagesSpec{Release: "1.19"}}
	options.Settings.Cluster.WorkloadArchitectures = []string{"amd64", "arm64"}
	list, _, err := fn.Forecast(rl, options)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	for _, one := range list {
		fmt.Println(one.Object.Name, one.Alerts)
	}
	// Output: kubevirt-hyperconverged [HCOMultiArchGoldenImagesDisabled]
}
