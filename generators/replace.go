package generators

import (
	"slices"
	"strings"
)

const (
	syncOptions = "argocd.argoproj.io/sync-options"
	fluxForce   = "kustomize.toolkit.fluxcd.io/force"
)

// letReplace adds the annotations by which GitOps tools delete and recreate an
// immutable object. Argo CD then does so at every sync (argo-cd#24005,
// gitops-engine#623), Flux only if the API server rejects the change. Other Argo CD
// options in the annotation stay in front.
func letReplace(annotations map[string]string) {
	options := strings.Split(annotations[syncOptions], ",")
	options = slices.DeleteFunc(options, func(option string) bool {
		key, _, _ := strings.Cut(strings.TrimSpace(option), "=")
		return key == "" || key == "Force" || key == "Replace"
	})
	annotations[syncOptions] = strings.Join(append(options, "Force=true", "Replace=true"), ",")
	annotations[fluxForce] = "enabled"
}
