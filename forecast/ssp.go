package forecast

import (
	"fmt"
	"strings"

	"github.com/goldenarch/goldenarch/arch"
	"github.com/goldenarch/goldenarch/cluster"
	"github.com/goldenarch/goldenarch/expansion"
)

// ssp is what SSP reconciles.
type ssp struct {
	expansion.SSP
	templates []expansion.Template
	withheld  []expansion.Template
	gate      bool
	cluster   cluster.Architectures
}

func (f *Forecast) foretellSSP(s ssp) {
	if f.SSPRejected = s.rejected(); f.SSPRejected != "" {
		return
	}
	crons := s.SingleArch(s.templates)
	if s.gate {
		crons = s.MultiArch(s.templates)
	}
	sources := s.dataSources(crons)
	for _, source := range sources {
		if !source.filledByCron() {
			// A DataSource that is not updated by a cron takes away the cron of
			// its name (ssp reconcile.go, lines 252 to 256).
			delete(crons, expansion.Key{Namespace: s.Namespace, DataSource: source.name})
		}
	}
	if _, empty := sources[""]; empty {
		f.SSPError = "reconcile 1: failed to reconcile *v1beta1.DataSource object " + s.Namespace + "/: failed creating object: " +
			`DataSource.cdi.kubevirt.io "" is invalid: metadata.name: Required value: name is required`
		return
	}
	if twice := crons.SameName(); twice != "" {
		f.SSPRandom = "SSP's result differs between runs: DataImportCron/" + twice
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

func cronObjects(crons expansion.Crons) []expansion.Object {
	out := make([]expansion.Object, 0, len(crons))
	for _, c := range crons.Sorted() {
		out = append(out, expansion.NewObject(map[string]any{
			"apiVersion": "cdi.kubevirt.io/v1beta1", "kind": "DataImportCron",
			"metadata": metadata(c.Name, c.Namespace, c.Labels, c.Annotations), "spec": c.Spec,
		}))
	}
	return out
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
