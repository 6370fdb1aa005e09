package generators

import (
	"maps"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/expansion"
	"github.com/goldenarch/goldenarch/hyperconverged"
)

// dataImportCron returns a cron as SSP would make it, but for what says that SSP
// owns it. Annotations of goldenarch are about the template and stay there; HCO
// adds the immediate-bind annotation where it is missing (hco golden_images.go:
// hcoDictToSSP).
func dataImportCron(c expansion.Cron, replaceOnChange bool) expansion.Object {
	annotations := map[string]string{hyperconverged.BindAnnotation: "true"}
	maps.Copy(annotations, c.Annotations)
	maps.DeleteFunc(annotations, func(key, _ string) bool { return strings.HasPrefix(key, v1alpha1.Group+"/") })
	if replaceOnChange {
		maps.Copy(annotations, recreate)
	}
	return object("cdi.kubevirt.io/v1beta1", "DataImportCron", c.Namespace, c.Name, parts{
		labels: c.Labels, annotations: annotations, spec: c.Spec,
	})
}

// recreate has the annotations by which GitOps tools delete and recreate an
// object that cannot be changed: Argo CD's does so at every sync
// (argo-cd#24005, gitops-engine#623), Flux's where a change is refused.
var recreate = map[string]string{
	"argocd.argoproj.io/sync-options":   "Force=true,Replace=true",
	"kustomize.toolkit.fluxcd.io/force": "enabled",
}
