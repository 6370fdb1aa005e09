package forecast

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/arch"
	"github.com/goldenarch/goldenarch/cluster"
	"github.com/goldenarch/goldenarch/expansion"
)

// ssp is what SSP reconciles.
type ssp struct {
	templates []expansion.Template
	withheld  []expansion.Template
	gate      bool
	cluster   cluster.Architectures
	// bundle has the common templates of this SSP, namespace is where it keeps
	// golden images.
	bundle    expansion.Bundle
	namespace string
}

// cronKey is what SSP keys its crons by: two templates with one key overwrite
// each other, the last in the list winning.
type cronKey struct{ namespace, dataSource string }

func (f *Forecast) foretellSSP(s ssp) {
	if f.SSPRejected = s.rejected(); f.SSPRejected != "" {
		return
	}
	crons := s.crons()
	sources := s.dataSources(crons)
	for _, source := range sources {
		if !source.filledByCron() {
			// A DataSource that is not updated by a cron takes away the cron of
			// its name (ssp reconcile.go, lines 252 to 256).
			delete(crons, cronKey{s.namespace, source.name})
		}
	}
	if _, empty := sources[""]; empty {
		f.SSPError = "reconcile 1: failed to reconcile *v1beta1.DataSource object " + s.namespace + "/: failed creating object: " +
			`DataSource.cdi.kubevirt.io "" is invalid: metadata.name: Required value: name is required`
		return
	}
	if f.SSPRandom = random(crons); f.SSPRandom != "" {
		return
	}
	f.DataImportCrons = cronObjects(crons)
	f.DataSourcesBySSP = pick(sources, s.templates, nil)
	f.DataSourcesOfDICTsNotGiven = pick(sources, s.withheld, s.templates)
	f.CDIVerdicts = verdicts(crons)
	f.DataSourcesAfterCDI = afterCDI(sources, s.templates, crons, f.CDIVerdicts)
}

// rejected returns why SSP's webhook refuses the SSP CR (ssp
// webhooks/ssp_webhook.go).
func (s ssp) rejected() string {
	known := len(s.cluster.ControlPlane)+len(s.cluster.Workload) > 0
	if s.gate && !known {
		return "cluster validation error: .spec.cluster needs to be non-nil, if multi-architecture is enabled"
	}
	for _, list := range []struct {
		what string
		set  arch.Set
	}{{"workload", s.cluster.Workload}, {"control plane", s.cluster.ControlPlane}} {
		if unknown := list.set.Minus(expansion.Known); len(unknown) > 0 {
			return fmt.Sprintf("cluster validation error: invalid %s architecture: unknown architecture: %s", list.what, unknown[0])
		}
	}
	for _, t := range s.templates {
		if t.Metadata.Name == "" {
			return "dataImportCronTemplates validation error: missing name in DataImportCronTemplate"
		}
	}
	return ""
}

// crons returns the DataImportCrons of the templates (ssp reconcile.go:
// getCronsByDataSourceMultiArch, and with the gate off getCronsByDataSource).
func (s ssp) crons() map[cronKey]expansion.Cron {
	out := map[cronKey]expansion.Cron{}
	add := func(c expansion.Cron) { out[cronKey{c.Namespace, c.Spec.ManagedDataSource}] = c }
	for _, t := range s.templates {
		if !s.gate || t.Claim() == "" {
			c := expansion.Plain(t, s.namespace)
			if a, ok := s.bundleDefault(t.Spec.ManagedDataSource); s.gate && ok {
				c.Spec.ManagedDataSource = expansion.WithArchitecture(c.Spec.ManagedDataSource, a)
			}
			add(c)
			continue
		}
		for _, a := range expansion.Parse(t.Claim()).Intersect(arch.NewSet(s.cluster.SSP()...)) {
			add(expansion.For(t, a, s.namespace))
		}
	}
	return out
}

// bundleDefault returns the default architecture of a DataSource of the bundle:
// the first of the cluster that has a template. The claim is not consulted (ssp
// reconcile.go, lines 456 and 780 to 788).
func (s ssp) bundleDefault(dataSource string) (arch.Arch, bool) {
	return expansion.First(s.cluster.SSP(), s.bundle[dataSource])
}

// random tells of two crons with one name: SSP goes through them in random
// order, and the result differs from run to run.
func random(crons map[cronKey]expansion.Cron) string {
	seen := map[string]bool{}
	var twice []string
	for _, c := range crons {
		name := c.Namespace + "/" + c.Name
		if seen[name] {
			twice = append(twice, name)
		}
		seen[name] = true
	}
	if len(twice) == 0 {
		return ""
	}
	slices.Sort(twice)
	return "SSP's result differs between runs: DataImportCron/" + twice[0]
}

func cronObjects(crons map[cronKey]expansion.Cron) []Object {
	out := make([]Object, 0, len(crons))
	for _, c := range crons {
		out = append(out, newObject(map[string]any{
			"apiVersion": "cdi.kubevirt.io/v1beta1", "kind": "DataImportCron",
			"metadata": metadata(c.Name, c.Namespace, c.Labels, c.Annotations), "spec": c.Spec,
		}))
	}
	return sorted(out)
}

func metadata(name, namespace string, labels, annotations map[string]string) map[string]any {
	return map[string]any{"name": name, "namespace": namespace, "labels": withoutAppLabels(labels), "annotations": annotations}
}

// withoutAppLabels leaves out the labels that say who made an object: each
// operator sets its own.
func withoutAppLabels(labels map[string]string) map[string]string {
	out := map[string]string{}
	for key, value := range labels {
		if !strings.HasPrefix(key, "app.kubernetes.io/") {
			out[key] = value
		}
	}
	return out
}
