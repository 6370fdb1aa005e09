package generators

import (
	"maps"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// ownerPrefix begins the annotations by which SSP knows what it owns, and
// deletes when no template asks for it (operator-lib
// handler/enqueue_annotation.go). A template copied from a live object has them.
const ownerPrefix = "operator-sdk/"

// ownerLabels are those that SSP puts on what it owns (ssp
// internal/common/labels.go).
var ownerLabels = map[string]string{
	"app.kubernetes.io/name":       "data-sources",
	"app.kubernetes.io/component":  "templating",
	"app.kubernetes.io/managed-by": "ssp-operator",
}

// annotations returns a template's annotations for its crons. Those of
// goldenarch are about the template and stay there, as do those of SSP's
// ownership; HCO adds the immediate-bind annotation where it is missing (hco
// golden_images.go: hcoDictToSSP).
func annotations(ofTemplate map[string]string) map[string]string {
	out := map[string]string{hyperconverged.BindAnnotation: "true"}
	maps.Copy(out, ofTemplate)
	maps.DeleteFunc(out, func(key, _ string) bool {
		return strings.HasPrefix(key, v1alpha1.Group+"/") || strings.HasPrefix(key, ownerPrefix)
	})
	return out
}

// labels returns a cron's labels without those of SSP's ownership. Of the same
// keys, what a user wrote stays.
func labels(ofCron map[string]string) map[string]string {
	out := maps.Clone(ofCron)
	maps.DeleteFunc(out, func(key, value string) bool { return ownerLabels[key] == value && value != "" })
	return out
}
