package forecast

import (
	"maps"
	"regexp"
	"slices"

	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

// cleanupLabel marks what CDI deletes together with a cron that has
// retentionPolicy None (cdi pkg/common/common.go).
const cleanupLabel = "cdi.kubevirt.io/dataImportCron.cleanup"

// passedOn matches the labels of a cron that CDI copies to its DataSource (cdi
// pkg/controller/common/util.go).
var passedOn = regexp.MustCompile(`^([\w.]+\.kubevirt.io|kubevirt.io)/[\w.-]+$`)

// afterCDI returns the DataSources of the templates after CDI has reconciled
// the crons that it admits, before anything is imported (cdi
// dataimportcron-controller.go, lines 801 to 830).
func afterCDI(made map[string]dataSource, templates []template, crons map[cronKey]importCron, verdicts map[string]string) []Object {
	type key struct{ namespace, name string }
	names := namesOf(templates)
	all := map[key]dataSource{}
	for name, d := range made {
		if slices.Contains(names, name) {
			d.labels = maps.Clone(d.labels)
			all[key{d.namespace, name}] = d
		}
	}
	for _, c := range sortedCrons(crons) {
		if verdicts[verdictKey(c, crons)] != "" {
			continue
		}
		at := key{c.namespace, c.spec.ManagedDataSource}
		d, exists := all[at]
		if exists && d.labels[cronLabel] != c.name {
			continue // managed by nobody, or by another cron
		}
		if !exists {
			d = dataSource{name: at.name, namespace: at.namespace, labels: map[string]string{cronLabel: c.name}}
		}
		for label, value := range c.labels {
			if passedOn.MatchString(label) {
				d.labels[label] = value
			}
		}
		d.labels[cronLabel] = c.name
		if c.spec.RetentionPolicy != nil && *c.spec.RetentionPolicy == cdiv1.DataImportCronRetainNone {
			d.labels[cleanupLabel] = "true"
		}
		all[at] = d
	}
	out := make([]Object, 0, len(all))
	for _, d := range all {
		out = append(out, d.object())
	}
	return sorted(out)
}

func sortedCrons(crons map[cronKey]importCron) []importCron {
	return slices.SortedFunc(maps.Values(crons), func(a, b importCron) int {
		return compareText(a.namespace+"/"+a.name, b.namespace+"/"+b.name)
	})
}
