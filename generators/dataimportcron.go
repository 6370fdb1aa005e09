package generators

import "github.com/goldenarch/goldenarch/internal/operators/expansion"

// dataImportCron returns a cron as SSP would create it, without the labels and
// annotations that name SSP as the owner.
func dataImportCron(c expansion.Cron, replaceOnChange bool) expansion.Object {
	notes := annotations(c.Annotations)
	if replaceOnChange {
		letReplace(notes)
	}
	return object("cdi.kubevirt.io/v1beta1", "DataImportCron", c.Namespace, c.Name, parts{
		labels: labels(c.Labels), annotations: notes, spec: c.Spec,
	})
}
