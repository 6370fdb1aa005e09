package generators

import (
	"maps"

	"github.com/goldenarch/goldenarch/internal/operators/cdi"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
)

// dataSource returns the DataSource that a cron fills. CDI writes the source after the
// first import, and only if the label names the cron (cdi dataimportcron-controller.go,
// lines 585 to 588). It has the labels that CDI would copy, except the cleanup label,
// with which CDI deletes the object together with its cron. Git decides about the
// deletion of objects in Git, and CDI sets the label where it needs it.
func dataSource(c expansion.Cron) expansion.Object {
	labels := cdi.DataSourceLabels(c.Name, c.Labels, c.Spec)
	maps.DeleteFunc(labels, func(key, _ string) bool { return key == cdi.CleanupLabel })
	return object("cdi.kubevirt.io/v1beta1", "DataSource", c.Namespace, c.Spec.ManagedDataSource, parts{
		labels: labels, spec: map[string]any{"source": map[string]any{}},
	})
}
