package engine

import (
	"fmt"
	"slices"

	"k8s.io/utils/ptr"

	"github.com/goldenarch/goldenarch/internal/engine/join"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/access"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
)

// pollerLacks reports the Secrets and ConfigMaps of a template that the input has in the namespace of the golden images alone. CDI
// looks for new images in a pod of its own namespace, which is that of the HyperConverged CR. The pod mounts both by their names
// (cdi pkg/controller/dataimportcron-controller.go: newCronJob, InitPollerPod), so it does not start, and nothing is imported.
// What Git has in neither namespace may be on the cluster.
func pollerLacks(s join.Joined, predicted forecast.Forecast, items access.Lookup) finding.List {
	var found finding.List
	crons := predicted.CronsByTemplate()
	for _, t := range s.CR.Templates {
		registry := t.Registry()
		own := crons[t.Name()]
		if registry == nil || registry.URL == nil || len(own) == 0 || s.At.Namespace == "" {
			continue
		}
		// Whoever knows no platform predicts one of the two usual namespaces.
		namespaces := []string{own[0].Namespace, expansion.OpenShiftNamespace, expansion.UpstreamNamespace}
		for _, one := range []struct{ kind, field, name string }{
			{"Secret", "secretRef", ptr.Deref(registry.SecretRef, "")}, {"ConfigMap", "certConfigMap", ptr.Deref(registry.CertConfigMap, "")},
		} {
			at := slices.IndexFunc(namespaces, func(namespace string) bool { return items.Has(one.kind, namespace, one.name) })
			if one.name == "" || at < 0 || items.Has(one.kind, s.At.Namespace, one.name) {
				continue
			}
			found = append(found, s.Locate(finding.List{{
				ID: finding.PollerLacks, Severity: finding.Warning, Template: t.Name(),
				Field: s.CR.TemplatePath(t.Index) + ".spec.template.spec.source.registry." + one.field,
				Text: fmt.Sprintf("template %q: %s %q is in the namespace %s alone. CDI looks for new images in a pod in %s, which does not start without it, "+
					"so nothing is imported", t.Name(), one.kind, one.name, namespaces[at], s.At.Namespace),
				Do: fmt.Sprintf("have the %s in the namespace %s, too", one.kind, s.At.Namespace),
			}})...)
		}
	}
	return found
}
