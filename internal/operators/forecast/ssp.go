package forecast

import (
	"fmt"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/operators/cdi"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// ssp is what SSP reconciles.
type ssp struct {
	expansion.SSP
	templates []expansion.Template
	withheld  []expansion.Template
	// names are the names of the templates' DataSources.
	names    map[string]bool
	gate     bool
	cluster  cluster.Architectures
	existing state
	images   map[string]Image
	rules
}

// rules are the rules that an older SSP does not have.
type rules struct {
	// multiArch reads declared architectures and the cluster's architectures, and makes a
	// reference for a template without a common template. HCO 1.16 is the first with such an
	// SSP, v0.24.1.
	multiArch bool
	// cleanup removes the cleanup label of a DataSource that no cron fills, from
	// v0.27 on.
	cleanup bool
}

// wanted is a cron that a template requests.
type wanted struct {
	template string
	cron     expansion.Cron
}

func (w wanted) key() expansion.Key { return w.cron.Key() }

// made is what SSP makes.
type made struct {
	// wanted has all crons that the templates request, in the order of the templates. crons
	// has those that remain.
	wanted []wanted
	crons  expansion.Crons
	// kept is the index in wanted of the cron that SSP keeps for a key.
	kept    map[expansion.Key]int
	sources map[string]dataSource
	// refused is why CDI's webhook refuses a cron; "" if it admits the cron. If two crons
	// have the same key, the value is for the one that SSP keeps.
	refused map[expansion.Key]string
}

// concerning returns what SSP reconciles, limited to the DataSources of the templates. This
// removes most of the bundle, which the forecast does not report.
func (s ssp) concerning() ssp {
	s.names = namesOf(s.templates, s.withheld)
	s.Bundle = s.Bundle.About(s.names)
	return s
}

// reconcile makes crons and DataSources. If two crons have the same DataSource, the last
// one wins (ssp reconcile.go: addToCronMap).
func (s ssp) reconcile() made {
	m := made{crons: expansion.Crons{}, kept: map[expansion.Key]int{}, refused: map[expansion.Key]string{}}
	for _, t := range s.templates {
		for _, c := range s.expand(t).Sorted() {
			w := wanted{template: t.Metadata.Name, cron: c}
			m.kept[w.key()] = len(m.wanted)
			m.wanted = append(m.wanted, w)
			m.crons[w.key()] = c
		}
	}
	for key, c := range m.crons {
		m.refused[key] = cdi.Refused(c.Name, c.Spec)
	}
	m.sources = s.dataSources(m.crons)
	for _, d := range m.sources {
		if d.filledBy() == "" {
			// If SSP makes a DataSource that no cron is to fill, it removes the cron of
			// that DataSource (ssp reconcile.go, lines 252 to 256).
			delete(m.crons, expansion.Key{Namespace: s.Namespace, DataSource: d.name})
		}
	}
	return m
}

// expand returns the crons that a template requests.
func (s ssp) expand(t expansion.Template) expansion.Crons {
	if s.gate {
		return s.MultiArch([]expansion.Template{t})
	}
	crons := s.SingleArch([]expansion.Template{t})
	if claim, ok := t.Metadata.Annotations[hyperconverged.ClaimAnnotation]; ok && !s.multiArch {
		for _, c := range crons {
			c.Annotations[hyperconverged.ClaimAnnotation] = claim // an ordinary annotation
		}
	}
	return crons
}

// predictSSP predicts what SSP and CDI make of the templates. It returns the
// DataSources that SSP makes, nil if SSP refuses the templates.
func (f *Forecast) predictSSP(s ssp, outcomesOnly bool) map[string]dataSource {
	if f.SSPRejected = s.rejected(); f.SSPRejected != "" {
		return nil
	}
	s = s.concerning()
	m := s.reconcile()
	if _, empty := m.sources[""]; empty {
		f.SSPError = "reconcile 1: failed to reconcile *v1beta1.DataSource object " + s.Namespace + "/: failed creating object: " +
			`DataSource.cdi.kubevirt.io "" is invalid: metadata.name: Required value: name is required`
		f.Blocked = &Blocked{Why: "a template has no managedDataSource: SSP fails to make a DataSource without a name. " + stopped, Crons: []string{}}
		return m.sources
	}
	if twice := m.crons.SameName(); twice != "" {
		f.SSPRandom = "SSP's result differs between runs: DataImportCron/" + twice
		return m.sources
	}
	after := s.afterCDI(m)
	if !outcomesOnly {
		f.DataImportCrons = cronObjects(m.crons)
		f.DataSourcesBySSP = pick(m.sources, s.templates, nil)
		f.DataSourcesOfDICTsNotGiven = pick(m.sources, s.withheld, s.templates)
		f.CDIVerdicts = m.verdicts()
		f.DataSourcesAfterCDI = after.objects(namesOf(s.templates))
	}
	f.Crons = s.cronOutcomes(m)
	f.Blocked = blockedBy(f.Crons)
	f.References = s.referencesOf(m, after)
	f.DataSources = s.owners(m, after)
	return m.sources
}

// rejected returns why SSP's webhook refuses the SSP CR (ssp
// webhooks/ssp_webhook.go).
func (s ssp) rejected() string {
	if refused := s.rejectedCluster(); refused != "" {
		return "cluster validation error: " + refused
	}
	for _, t := range s.templates {
		if t.Metadata.Name == "" {
			return "dataImportCronTemplates validation error: missing name in DataImportCronTemplate"
		}
	}
	return ""
}

func (s ssp) rejectedCluster() string {
	if !s.multiArch {
		return ""
	}
	known := len(s.cluster.ControlPlane)+len(s.cluster.Workload) > 0
	if s.gate && !known {
		return ".spec.cluster needs to be non-nil, if multi-architecture is enabled"
	}
	for _, list := range []struct {
		what string
		set  arch.Set
	}{{"workload", s.cluster.Workload}, {"control plane", s.cluster.ControlPlane}} {
		if unknown := list.set.Minus(expansion.Known); len(unknown) > 0 {
			return fmt.Sprintf("invalid %s architecture: unknown architecture: %s", list.what, unknown[0])
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
