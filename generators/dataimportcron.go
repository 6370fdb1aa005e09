package generators

import "github.com/goldenarch/goldenarch/internal/operators/expansion"

// dataImportCron returns a cron as SSP would make it, but for what says that SSP
// owns it.
func dataImportCron(c expansion.Cron, replaceOnChange bool) expansion.Object {
	notes := annotations(c.Annotations)
	if replaceOnChange {
		letReplace(notes)
	}
	return object("cdi.kubevirt.io/v1beta1", "DataImportCron", c.Namespace, c.Name, parts{
		labels: labels(c.Labels), annotations: notes, spec: c.Spec,
	})
}
