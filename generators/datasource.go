package generators

import (
	"maps"

	"github.com/goldenarch/goldenarch/internal/operators/cdi"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
)

// dataSource returns the DataSource that a cron fills. CDI writes the source
// after the first import, and only where the label names the cron (cdi
// dataimportcron-controller.go, lines 585 to 588). The labels are those that it
// would copy itself, but for the mark that it deletes the object with the cron:
// what is in Git is for Git to delete, and CDI sets the mark where it needs it.
func dataSource(c expansion.Cron) expansion.Object {
	labels := cdi.DataSourceLabels(c.Name, c.Labels, c.Spec)
	maps.DeleteFunc(labels, func(key, _ string) bool { return key == cdi.CleanupLabel })
	return object("cdi.kubevirt.io/v1beta1", "DataSource", c.Namespace, c.Spec.ManagedDataSource, parts{
		labels: labels, spec: map[string]any{"source": map[string]any{}},
	})
}
