package generators

import (
	"maps"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// ownerPrefix begins the annotations that SSP recognizes its own objects by. SSP
// deletes these objects when no template needs them (operator-lib
// handler/enqueue_annotation.go). A template copied from a live object has these
// annotations.
const ownerPrefix = "operator-sdk/"

// ownerLabels are the labels that SSP sets on its own objects (ssp
// internal/common/labels.go).
var ownerLabels = map[string]string{
	"app.kubernetes.io/name":       "data-sources",
	"app.kubernetes.io/component":  "templating",
	"app.kubernetes.io/managed-by": "ssp-operator",
}

// annotations returns the annotations that a template gives to its crons. It leaves out
// goldenarch's own, which are about the template, and those by which SSP recognizes its
// objects. HCO adds the immediate-bind annotation if it is missing (hco
// golden_images.go: hcoDictToSSP).
func annotations(ofTemplate map[string]string) map[string]string {
	out := map[string]string{hyperconverged.BindAnnotation: "true"}
	maps.Copy(out, ofTemplate)
	maps.DeleteFunc(out, func(key, _ string) bool {
		return strings.HasPrefix(key, v1alpha1.Group+"/") || strings.HasPrefix(key, ownerPrefix)
	})
	return out
}

// labels returns a cron's labels without those by which SSP recognizes its objects. A
// label with such a key and another value is a user's, and stays.
func labels(ofCron map[string]string) map[string]string {
	out := maps.Clone(ofCron)
	maps.DeleteFunc(out, func(key, value string) bool { return ownerLabels[key] == value && value != "" })
	return out
}
