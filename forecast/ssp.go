package forecast

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/goldenarch/goldenarch/arch"
	"github.com/goldenarch/goldenarch/cluster"
	"github.com/goldenarch/goldenarch/hyperconverged"
)

// Labels that SSP sets (ssp data-sources/constants.go,
// common-templates/constants.go).
const (
	archLabel       = "template.kubevirt.io/architecture"
	dataSourceLabel = "cdi.kubevirt.io/storage.import.datasource-name"
	cronLabel       = "cdi.kubevirt.io/dataImportCron"
)

// goldenNamespace is where golden images are, upstream (ssp
// internal/constants.go).
const goldenNamespace = "kubevirt-os-images"

// ssp is what SSP reconciles.
type ssp struct {
	templates []template
	withheld  []template
	gate      bool
	cluster   cluster.Architectures
}

// importCron is a DataImportCron that SSP makes.
type importCron struct {
	name, namespace     string
	labels, annotations map[string]string
	spec                cdiv1.DataImportCronSpec
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
			delete(crons, cronKey{goldenNamespace, source.name})
		}
	}
	if _, empty := sources[""]; empty {
		f.SSPError = "reconcile 1: failed to reconcile *v1beta1.DataSource object kubevirt-os-images/: failed creating object: " +
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
		if unknown := list.set.Minus(every); len(unknown) > 0 {
			return fmt.Sprintf("cluster validation error: invalid %s architecture: unknown architecture: %s", list.what, unknown[0])
		}
	}
	for _, t := range s.templates {
		if t.metadata.Name == "" {
			return "dataImportCronTemplates validation error: missing name in DataImportCronTemplate"
		}
	}
	return ""
}

// crons returns the DataImportCrons of the templates (ssp reconcile.go:
// getCronsByDataSourceMultiArch, and with the gate off getCronsByDataSource).
func (s ssp) crons() map[cronKey]importCron {
	out := map[cronKey]importCron{}
	add := func(c importCron) { out[cronKey{c.namespace, c.spec.ManagedDataSource}] = c }
	for _, t := range s.templates {
		claim := t.metadata.Annotations[hyperconverged.ClaimAnnotation]
		if !s.gate || claim == "" {
			c := newCron(t)
			if a, ok := s.bundleDefault(t.spec.ManagedDataSource); s.gate && ok {
				c.spec.ManagedDataSource += "-" + string(a)
			}
			add(c)
			continue
		}
		for _, a := range sspReads(claim).Intersect(arch.NewSet(s.cluster.SSP()...)) {
			add(cronFor(t, a))
		}
	}
	return out
}

// newCron returns a template's cron as it is, without the claim, which SSP
// never copies.
func newCron(t template) importCron {
	c := importCron{
		name: t.metadata.Name, namespace: t.metadata.Namespace,
		labels: maps.Clone(t.metadata.Labels), annotations: maps.Clone(t.metadata.Annotations), spec: *t.spec.DeepCopy(),
	}
	delete(c.annotations, hyperconverged.ClaimAnnotation)
	if c.namespace == "" {
		c.namespace = goldenNamespace
	}
	return c
}

// cronFor returns a template's cron for one architecture (ssp reconcile.go,
// lines 385 to 406).
func cronFor(t template, a arch.Arch) importCron {
	c := newCron(t)
	if c.labels == nil {
		c.labels = map[string]string{}
	}
	c.name += "-" + string(a)
	c.labels[archLabel] = string(a)
	c.labels[dataSourceLabel] = t.spec.ManagedDataSource
	c.spec.ManagedDataSource += "-" + string(a)
	if source := c.spec.Template.Spec.Source; source != nil && source.Registry != nil {
		if source.Registry.Platform == nil {
			source.Registry.Platform = &cdiv1.PlatformOptions{}
		}
		source.Registry.Platform.Architecture = string(a)
	}
	return c
}

// sspReads returns the architectures that SSP reads out of a claim: it trims,
// and drops what it does not know without a word (ssp reconcile.go:
// parseArchsAnnotation).
func sspReads(claim string) arch.Set {
	var list []arch.Arch
	for part := range strings.SplitSeq(claim, ",") {
		if a := arch.Arch(strings.TrimSpace(part)); every.Contains(a) {
			list = append(list, a)
		}
	}
	return arch.NewSet(list...)
}

// bundleDefault returns the default architecture of a DataSource of the bundle:
// the first of the cluster that has a template. The claim is not consulted (ssp
// reconcile.go, lines 456 and 780 to 788).
func (s ssp) bundleDefault(dataSource string) (arch.Arch, bool) {
	return first(s.cluster.SSP(), bundle[dataSource])
}

func first(order []arch.Arch, of arch.Set) (arch.Arch, bool) {
	i := slices.IndexFunc(order, of.Contains)
	if i < 0 {
		return "", false
	}
	return order[i], true
}

// random tells of two crons with one name: SSP goes through them in random
// order, and the result differs from run to run.
func random(crons map[cronKey]importCron) string {
	seen := map[string]bool{}
	var twice []string
	for _, c := range crons {
		name := c.namespace + "/" + c.name
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

func cronObjects(crons map[cronKey]importCron) []Object {
	out := make([]Object, 0, len(crons))
	for _, c := range crons {
		out = append(out, newObject(map[string]any{
			"apiVersion": "cdi.kubevirt.io/v1beta1", "kind": "DataImportCron",
			"metadata": metadata(c.name, c.namespace, c.labels, c.annotations), "spec": c.spec,
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
