package fn_test

import (
	"fmt"
	"os"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/fn/framework"
	"sigs.k8s.io/kustomize/kyaml/kio"

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
	function := fn.Function{Options: map[string]string{"release": "1.19"}}
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
