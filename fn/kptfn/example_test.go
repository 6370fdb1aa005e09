package kptfn_test

import (
	"fmt"
	"os"

	kpt "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/fn"
	"github.com/goldenarch/goldenarch/fn/kptfn"
)

// A program that is built with kpt's SDK runs goldenarch as one of its functions.
func ExampleProcessor() {
	function := fn.Function{Options: fn.Options{Settings: v1alpha1.GoldenImagesSpec{Release: "1.19"}}}
	out, err := kpt.Run(kptfn.Processor(function), []byte(resourceList("[amd64, arm64]")))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	rl, err := kpt.ParseResourceList(out)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	for _, object := range rl.Items.Where(kpt.IsGVK("hco.kubevirt.io", "v1beta1", "HyperConverged")) {
		templates, _, err := object.NestedSlice("spec", "dataImportCronTemplates")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return
		}
		annotation, _, _ := templates[0].NestedString("metadata", "annotations", "ssp.kubevirt.io/dict.architectures")
		fmt.Println(annotation)
	}
	// Output: amd64,arm64
}
