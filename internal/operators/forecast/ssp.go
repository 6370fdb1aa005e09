package forecast

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

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
	// multiArch says that SSP reads declared architectures and the cluster's architectures, and
	// makes a reference for a template without a common template. HCO 1.16 is the first with such
	// an SSP, v0.24.1.
	multiArch bool
	// account says that SSP passes on serviceAccountName of a template.
	account bool
	// cleanup says that SSP removes the cleanup label of a DataSource that no cron fills, from
	// v0.27 on.
	cleanup bool
}

// wanted is a cron that a template requests.
type wanted struct {
	template string
	cron     *expansion.Cron
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
	// refused says who refuses a cron, and why; it is empty if nobody does. If two crons
	// have the same key, the value is for the one that SSP keeps.
	refused map[expansion.Key]refusal
}

// refusal is why SSP cannot create a cron.
type refusal struct{ by, what string }

// refuses returns the answer to a cron that SSP creates.
func refuses(c *expansion.Cron) refusal {
	m := metav1.ObjectMeta{Name: c.Name, Namespace: c.Namespace, Labels: c.Labels, Annotations: c.Annotations}
	if invalid := cdi.Invalid("DataImportCron", m); invalid != "" {
		return refusal{"the API server", invalid}
	}
	if refused := cdi.Refused(c.Name, c.Spec); refused != "" {
		return refusal{"CDI", refused}
	}
	return refusal{}
}

// reconcile makes crons and DataSources. If two crons have the same DataSource, the last
// one wins (ssp reconcile.go: addToCronMap).
func (s ssp) reconcile() made {
	m := made{crons: expansion.Crons{}, kept: map[expansion.Key]int{}, refused: map[expansion.Key]refusal{}}
	for _, t := range s.templates {
		for _, c := range s.expand(t).Sorted() {
			w := wanted{template: t.Metadata.Name, cron: c}
			m.kept[w.key()] = len(m.wanted)
			m.wanted = append(m.wanted, w)
			m.crons[w.key()] = c
		}
	}
	for key, c := range m.crons {
		m.refused[key] = refuses(c)
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

// expand returns the crons that a template requests. SSP reads the template with the types of an older CDI than HCO's, and
// drops what they do not have (ssp go.mod: containerized-data-importer-api, v1.64.0 from v0.25.0 on).
func (s ssp) expand(t expansion.Template) expansion.Crons {
	t.Spec.Template.Spec.ServiceAccountName = ""
	if !s.account {
		t.Spec.ServiceAccountName = nil
	}
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
	s.names = namesOf(s.templates, s.withheld)
	s.Bundle = s.Bundle.About(s.names) // without most of it, which the forecast does not report
	m := s.reconcile()
	if d, invalid := s.invalidSource(m); invalid != "" {
		f.SSPError = fmt.Sprintf("failed to reconcile *v1beta1.DataSource object %s/%s: failed creating object: %s", d.namespace, d.name, invalid)
		f.Blocked = &Blocked{Why: d.stops() + ". " + stopped, Crons: []string{}}
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

// invalidSource returns the first DataSource that the API server refuses, and its answer. SSP creates the DataSources
// before the crons (ssp reconcile.go: Reconcile). Those of the bundle come first, each with the name of its cron as a
// label, in an order that differs between runs: the first name stands for all.
func (s ssp) invalidSource(m made) (dataSource, string) {
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(m.sources)), func(name string) bool { return m.sources[name].filledBy() == "" })
	for _, t := range s.templates {
		names = append(names, t.Spec.ManagedDataSource)
	}
	for _, name := range names {
		d, makes := m.sources[name]
		if !makes {
			continue
		}
		if invalid := cdi.Invalid(KindDataSource, metav1.ObjectMeta{Name: d.name, Namespace: d.namespace, Labels: d.labels}); invalid != "" {
			return d, invalid
		}
	}
	return dataSource{}, ""
}

// stops says why SSP fails at a DataSource that the API server refuses.
func (d dataSource) stops() string {
	switch {
	case d.filledBy() != "":
		return fmt.Sprintf("DataSource %q has the name of its DataImportCron as a label, and %q is not a valid value of a label: SSP fails to make it",
			d.name, d.filledBy())
	case d.name == "":
		return "a template has no managedDataSource: SSP fails to make a DataSource without a name"
	default:
		return fmt.Sprintf("the managedDataSource %q of a template is not a valid name: SSP fails to make a DataSource", d.name)
	}
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
	// Architectures that nobody states are not none.
	unknown := s.cluster.ControlPlaneUnknown || s.cluster.WorkloadUnknown
	if s.gate && !unknown && len(s.cluster.ControlPlane)+len(s.cluster.Workload) == 0 {
		return ".spec.cluster needs to be non-nil, if multi-architecture is enabled"
	}
	for _, list := range []struct {
		what string
		set  arch.Set
	}{{"workload", s.cluster.Workload}, {"control plane", s.cluster.ControlPlane}} {
		if unknown := list.set.Minus(cluster.KnownToSSP); len(unknown) > 0 {
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

// dataSource is a DataSource. It sets at most one of reference, pvc and kept. It sets none
// if a cron fills a new DataSource.
type dataSource struct {
	name, namespace string
	labels          map[string]string
	reference, pvc  string
	// possible are the architectures of which one is that of the reference, if goldenarch
	// does not know which.
	possible arch.Set
	// kept is the source of a DataSource that already exists and that SSP leaves unchanged.
	kept map[string]any
	// owner is the component that made the DataSource.
	owner Owner
	// idle says why no cron fills the DataSource, although a template requests one.
	idle string
}

// filledBy returns the name of the cron that fills it, "" if none does.
func (d dataSource) filledBy() string { return d.labels[cdi.CronLabel] }

// defaultArchitecture returns the architecture that a reference points at; "" for a
// DataSource that is not a reference,
// or is unknown.
func (d dataSource) defaultArchitecture() string {
	if len(d.possible) > 0 {
		return ""
	}
	return strings.TrimPrefix(d.reference, d.name+"-")
}

// dataSources returns the DataSources that SSP makes, by name. All of them are in the
// golden images namespace (ssp reconcile.go, lines 353 to 505).
func (s ssp) dataSources(crons expansion.Crons) map[string]dataSource {
	out := map[string]dataSource{}
	if !s.gate {
		s.addSingle(out, crons)
		return out
	}
	for name, templates := range s.Bundle {
		standard, ok := s.BundleDefault(name)
		if !ok {
			continue
		}
		out[name] = s.reference(name, standard, templates)
		for _, a := range templates.Intersect(arch.NewSet(s.Order...)) {
			full := expansion.WithArchitecture(name, a)
			old := ""
			if a == standard {
				old = name
			}
			out[full] = s.ownedDataSource(full, map[string]string{cdi.ArchitectureLabel: string(a)}, crons, old)
		}
	}
	unknown := s.UnknownDefaults(s.templates)
	for name, standard := range s.Defaults(s.templates) {
		if _, taken := out[name]; !taken {
			out[name] = s.reference(name, standard, unknown[name])
		}
	}
	return out
}

// addSingle adds the DataSources of a cluster with one architecture. They are those of the
// bundle for the cluster's first architecture, or for SSP's own if no architecture is
// known.
func (s ssp) addSingle(out map[string]dataSource, crons expansion.Crons) {
	single := arch.AMD64
	if len(s.Order) > 0 {
		single = s.Order[0]
	}
	for name, templates := range s.Bundle {
		if templates.Contains(single) {
			out[name] = s.ownedDataSource(name, nil, crons, "")
		}
	}
}

// reference returns a reference to the DataSource of the default architecture. of are the
// architectures from which SSP takes it.
func (s ssp) reference(name string, standard arch.Arch, of arch.Set) dataSource {
	d := dataSource{
		name: name, namespace: s.Namespace, owner: OwnerSSP,
		reference: expansion.WithArchitecture(name, standard), possible: s.UnknownDefault(of),
	}
	found, _ := s.existing.find(KindDataSource, s.Namespace, name)
	d.labels = merged(found.Labels, nil)
	s.release(d.labels)
	return d
}

// ownedDataSource returns a DataSource that a cron fills. Without a cron, the DataSource
// points at a PVC of its own name, whether or not that PVC exists. old is the PVC's name
// from before the cluster had several architectures; "" if there is no such PVC to check.
func (s ssp) ownedDataSource(name string, labels map[string]string, crons expansion.Crons, old string) dataSource {
	found, _ := s.existing.find(KindDataSource, s.Namespace, name)
	d := dataSource{name: name, namespace: s.Namespace, labels: merged(found.Labels, labels), owner: OwnerSSP}
	update := s.update(name, old, crons)
	if update.auto {
		d.labels[cdi.CronLabel] = crons[expansion.Key{Namespace: s.Namespace, DataSource: name}].Name
		d.kept = found.Source // a DataSource that CDI fills keeps its source
		return d
	}
	s.release(d.labels)
	d.pvc, d.kept, d.idle = update.pvc, update.kept, update.why
	return d
}

// release removes the labels of a DataSource which say that a cron fills it (ssp
// reconcile.go: reconcileDataSource).
func (s ssp) release(labels map[string]string) {
	delete(labels, cdi.CronLabel)
	if s.cleanup {
		delete(labels, cdi.CleanupLabel)
	}
}

// merged returns the existing labels, overwritten by the given ones (ssp
// internal/common/resource.go: UpdateLabels).
func merged(has, labels map[string]string) map[string]string {
	out := make(map[string]string, len(has)+len(labels))
	maps.Copy(out, has)
	maps.Copy(out, labels)
	return out
}

// object returns the DataSource as an object.
func (d dataSource) object() expansion.Object {
	source := map[string]any{}
	switch {
	case d.reference != "":
		source["dataSource"] = map[string]any{"name": d.reference, "namespace": d.namespace}
	case d.pvc != "":
		source["pvc"] = map[string]any{"name": d.pvc, "namespace": d.namespace}
	case d.kept != nil:
		source = d.kept
	}
	return expansion.NewObject(map[string]any{
		"apiVersion": "cdi.kubevirt.io/v1beta1", "kind": "DataSource",
		"metadata": metadata(d.name, d.namespace, d.labels, nil), "spec": map[string]any{"source": source},
	})
}

// pick returns the DataSources that the given templates may fill and the others may not.
func pick(sources map[string]dataSource, templates, others []expansion.Template) []expansion.Object {
	names, not := namesOf(templates), namesOf(others)
	out := []expansion.Object{}
	for name, d := range sources {
		if names[name] && !not[name] && len(d.possible) == 0 {
			out = append(out, d.object())
		}
	}
	return expansion.SortObjects(out)
}

// namesOf returns the names of DataSources that templates may fill.
func namesOf(templates ...[]expansion.Template) map[string]bool {
	names := map[string]bool{}
	for _, list := range templates {
		for _, t := range list {
			names[t.Spec.ManagedDataSource] = true
			for _, a := range cluster.KnownToSSP {
				names[expansion.WithArchitecture(t.Spec.ManagedDataSource, a)] = true
			}
		}
	}
	return names
}

func metadata(name, namespace string, labels, annotations map[string]string) map[string]any {
	return map[string]any{"name": name, "namespace": namespace, "labels": withoutAppLabels(labels), "annotations": annotations}
}

// withoutAppLabels removes the labels that say which component made an object: each
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

// update says how SSP updates a DataSource of the bundle.
type update struct {
	// auto says that a cron fills the DataSource. Otherwise, SSP does not make the cron.
	auto bool
	// pvc is the PVC that the DataSource points at if no cron fills it. kept is the source
	// that the DataSource keeps. At most one of the two is set.
	pvc  string
	kept map[string]any
	// why says why SSP does not make a cron that a template requests.
	why string
}

// update decides whether a cron fills the DataSource, or whether an existing PVC prevents
// that (ssp reconcile.go: dataSourceAutoUpdateEnabled). old is the PVC from before the
// cluster had several architectures; the default architecture's DataSource may keep it.
func (s ssp) update(name, old string, crons expansion.Crons) update {
	_, wanted := crons[expansion.Key{Namespace: s.Namespace, DataSource: name}]
	found, _ := s.existing.find(KindDataSource, s.Namespace, name)
	u := update{auto: wanted, pvc: name}
	if s.hasPVC(name) && !found.labelled() {
		u.auto = false
		u.why = fmt.Sprintf("PersistentVolumeClaim %q exists, but no DataSource %q says that a cron fills it", s.Namespace+"/"+name, name)
	}
	if old != "" {
		s.keepOld(&u, name, old)
	}
	return u
}

// keepOld keeps the source that the default architecture's DataSource had before the
// cluster had several architectures (ssp reconcile.go: handleDefaultDataSource).
func (s ssp) keepOld(u *update, name, old string) {
	found, exists := s.existing.find(KindDataSource, s.Namespace, name)
	pvc := s.Namespace + "/" + old
	switch {
	case !exists && s.hasPVC(old):
		*u = update{pvc: old, why: fmt.Sprintf("the earlier PersistentVolumeClaim %q exists: the default DataSource keeps using it", pvc)}
	case !exists, found.labelled():
	case found.Ready == "":
		*u = update{kept: found.Source, why: fmt.Sprintf("DataSource %q exists, and CDI has not processed it yet: SSP waits", name)}
	case found.Ready == "True" && found.reads(s.Namespace, old):
		*u = update{pvc: old, why: fmt.Sprintf("DataSource %q is ready and reads the earlier PersistentVolumeClaim %q", name, pvc)}
	}
}

func (s ssp) hasPVC(name string) bool {
	_, ok := s.existing.find(KindPVC, s.Namespace, name)
	return ok
}

// Image has the architectures of a template's image, as a registry or a lock proves them.
type Image struct {
	// Name is the name of the image in messages.
	Name          string
	Architectures arch.Set
	// Digest is that of its manifest or index, "" if it is unknown.
	Digest string
	// Single says that the image is a manifest, and no index.
	Single bool
}

// importFails returns why CDI cannot import the image of a cron. It returns "" if CDI can,
// or if nothing is known about the image. CDI requests exactly the cron's architecture (cdi
// pkg/importer/transport.go: buildSourceContext, validateImagePlatformMatch).
func (s ssp) importFails(w wanted) string {
	if broken := cdi.Broken(w.cron.Name, w.cron.Spec); len(broken) > 0 {
		return broken[0].Text
	}
	if invalid := cdi.Invalid(KindDataSource, metav1.ObjectMeta{Name: w.cron.Spec.ManagedDataSource, Namespace: w.cron.Namespace}); invalid != "" {
		return "CDI cannot create its DataSource: " + invalid
	}
	image, known := s.images[w.template]
	a := w.cron.Architecture
	if source := w.cron.Spec.Template.Spec.Source; a == "" && source != nil && source.Registry != nil && source.Registry.Platform != nil {
		a = arch.Arch(source.Registry.Platform.Architecture) // of a plain cron, the template's own
	}
	switch {
	case !known || image.Architectures.Contains(a):
		return ""
	case a == "":
		of := cdi.ImportOf(image.Architectures, image.Single, s.cluster.Workload)
		if len(of.Architectures) > 0 {
			return ""
		}
		return of.Fails
	}
	has := image.Architectures.String()
	if has == "" {
		has = "no architecture"
	}
	return fmt.Sprintf("%s has %s: CDI finds no image for %s and keeps retrying", image.Name, has, a)
}

// importOf returns why the import of a remaining cron fails; "" if it does not fail.
func (s ssp) importOf(m made, key expansion.Key) string {
	kept, wanted := m.kept[key]
	if !wanted {
		return ""
	}
	return s.importFails(m.wanted[kept])
}

// Owner is the component that makes a DataSource and deletes it.
type Owner string

// The owners.
const (
	OwnerSSP   Owner = "SSP"
	OwnerCDI   Owner = "CDI"   // makes a missing one for a cron; deletes it with the cron under retentionPolicy None
	OwnerOther Owner = "other" // it existed before, and neither SSP nor CDI changes it
)

// DataSourceOwner is a DataSource with its owner and the cron that fills it.
type DataSourceOwner struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	Owner     Owner  `json:"owner"`
	// FilledBy is the name of the cron in the same namespace that CDI admits and that fills
	// the DataSource; "" if no cron does.
	FilledBy string `json:"filledBy"`
	// Labels are its labels. KubeVirt reads those about architectures and preferences.
	Labels map[string]string `json:"-"`
}

// owners reports the DataSources of the templates, by namespace and name. It includes those
// of templates that HCO does not deploy.
func (s ssp) owners(m made, after dataSources) []DataSourceOwner {
	out := []DataSourceOwner{}
	for at, d := range after {
		if !s.names[at.name] {
			continue
		}
		f := DataSourceOwner{Namespace: at.namespace, Name: at.name, Owner: d.owner, Labels: d.labels}
		c, ok := m.crons[expansion.Key{Namespace: at.namespace, DataSource: at.name}]
		if ok && c.Name == d.filledBy() && m.refused[c.Key()].what == "" {
			f.FilledBy = c.Name
		}
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b DataSourceOwner) int {
		return expansion.CompareNames(a.Namespace, a.Name, b.Namespace, b.Name)
	})
	return out
}

// sspTemplateOutcomes says what happens to the templates of an SSP CR. sources are the
// DataSources that SSP makes; nil if SSP refuses all templates.
func (s ssp) sspTemplateOutcomes(sources map[string]dataSource) []TemplateOutcome {
	out := []TemplateOutcome{}
	for i, t := range s.templates {
		outcome := TemplateOutcome{Name: t.Metadata.Name, Index: i, Outcome: Deployed, ManagedDataSource: t.Spec.ManagedDataSource}
		claim, has := t.Metadata.Annotations[hyperconverged.ClaimAnnotation]
		switch {
		case !s.gate:
			outcome.Why = "multi-arch is off: SSP ignores the declared architectures and makes one cron"
		case !has || claim == "":
			outcome.Why = "it declares no architectures: SSP makes one cron, which imports for the architecture of the importer's node"
		default:
			outcome.Claim, outcome.EffectiveClaim = &claim, &claim
			outcome.Why = fmt.Sprintf("SSP makes a cron for each architecture of %q that the cluster has", claim)
		}
		if sources == nil {
			outcome.Outcome = Refused
		} else {
			outcome.expand(s, sources)
		}
		out = append(out, outcome)
	}
	return out
}
