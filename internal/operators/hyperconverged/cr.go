package hyperconverged

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
	kjson "sigs.k8s.io/json"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest/template"
	"github.com/goldenarch/goldenarch/internal/yaml/shape"
)

// CR is a HyperConverged custom resource, with the fields about golden images.
type CR struct {
	Version     Version
	Namespace   string
	Name        string
	Annotations map[string]string
	// Dump says that the object was read from a cluster, because it has fields that only a
	// cluster writes. In such an object, fields that nobody set have the CRD's defaults.
	Dump bool

	// Templates are the entries of the CR's list, in order.
	Templates []Template
	// CommonImport says whether HCO imports the predefined templates. HCO reads an unset
	// field as true.
	CommonImport bool
	// BootNamespace is the namespace for unmodified predefined templates; "" for the
	// default namespace.
	BootNamespace string
	// Gate is the multi-arch gate of the CR.
	Gate Gate
	// FeatureGates is the v1 list; nil in v1beta1.
	FeatureGates []FeatureGate
	// HasWorkloadSources says whether a v1 object has spec.workloadSources.
	HasWorkloadSources bool
	// DeadCommonImport is the v1beta1 feature gate enableCommonBootImageImport,
	// which HCO ignores; nil if unset.
	DeadCommonImport *bool

	Workloads NodePlacement
	Infra     NodePlacement
	// DefaultCPUModel is the CPU model of machines that name none; "" for KubeVirt's own.
	DefaultCPUModel string

	// Unconvertible is why HCO cannot convert a v1beta1 object to v1, nil if it
	// can.
	Unconvertible error
}

// NodePlacement selects the nodes on which a component runs.
type NodePlacement struct {
	NodeSelector map[string]string `json:"nodeSelector,omitempty"`
	Affinity     *corev1.Affinity  `json:"affinity,omitempty"`
}

// IgnoredBecause returns why HCO makes nothing of a CR of this name; "" if it reconciles it
// (hco hyperconverged_controller.go: validateNamespace, reqresolver).
func (cr *CR) IgnoredBecause() string {
	switch {
	case cr.Name == Name:
		return ""
	case strings.Contains(cr.Name, Name): // the pattern of the CRD
		return fmt.Sprintf("HCO handles only the CR named %q. It makes nothing of a CR named %q, "+
			"and says so in the condition ReconcileComplete (InvalidRequest)", Name, cr.Name)
	default:
		return fmt.Sprintf("HCO handles only the CR named %q, and the API server refuses one named %q", Name, cr.Name)
	}
}

// HasRetired reports whether the CR or a template has one of [RetiredAnnotations].
func (cr *CR) HasRetired() bool {
	isIn := func(annotations map[string]string) bool {
		return slices.ContainsFunc(RetiredAnnotations, func(key string) bool {
			_, ok := annotations[key]
			return ok
		})
	}
	return isIn(cr.Annotations) || slices.ContainsFunc(cr.Templates, func(t Template) bool {
		return t.Metadata != nil && isIn(t.Metadata.Annotations)
	})
}

// Template returns the entry of the list with a name, and whether there is one. Otherwise its
// index is -1.
func (cr *CR) Template(name string) (Template, bool) {
	i := slices.IndexFunc(cr.Templates, func(t Template) bool { return t.Name() == name })
	if i < 0 {
		return Template{Index: -1}, false
	}
	return cr.Templates[i], true
}

// TemplatePath returns the path of a template in the CR, as findings show it.
func (cr *CR) TemplatePath(i int) string { return cr.Version.Paths().Templates.At(i) }

// In returns the CR in another namespace.
func (cr *CR) In(namespace string) *CR {
	out := *cr
	out.Namespace = namespace
	return &out
}

// Revived returns the CR with the templates that goldenarch disabled enabled again, so that
// goldenarch decides about them again. An entry without a spec cannot be enabled, so it
// stays disabled.
func (cr *CR) Revived() *CR {
	out := *cr
	out.Templates = make([]Template, len(cr.Templates))
	for i, t := range cr.Templates {
		if t.DisabledByUs() && t.Spec != nil {
			t = t.clone()
			delete(t.Metadata.Annotations, EnableAnnotation)
		}
		out.Templates[i] = t
	}
	return &out
}

// GateAt returns the gate that HCO of a release reads from the CR and passes to SSP; nil if
// it is not set. From 1.19 on it is always set, and false if it is off (hco
// controllers/handlers/ssp.go). In earlier releases it is the feature gate of the CR.
// Before 1.16 the gate does not exist.
func (cr *CR) GateAt(release v1alpha1.Release) *bool {
	switch {
	case GateIsField.In(release):
		on := cr.Gate.On()
		return &on
	case !HasGate.In(release):
		return nil
	case cr.Version == V1beta1:
		// 1.19 introduced the annotation of v1-only fields, with its conversion.
		return cr.Gate.Field
	}
	// 1.18 has no v1 field, so it prunes the field. It compares the names of feature gates
	// case-sensitively (hco api/v1/featuregates). Without the entry the gate is off, and not unset: the conversion to
	// v1beta1, on which HCO 1.18 works, sets each gate of v1beta1 (hco api/v1beta1/zz_generated.featuregates_conversion.go).
	entry := cr.Gate.List
	on := entry != nil && entry.Name == GateName && entry.Enabled()
	return &on
}

// GateOn reports whether HCO of a release reads the gate as on.
func (cr *CR) GateOn(release v1alpha1.Release) bool { return cr.At(release).Gate.On() }

// At returns the CR as HCO of a release reads it. The gate is the field, whatever that release reads.
func (cr *CR) At(release v1alpha1.Release) *CR {
	if WorksOnV1.In(release) {
		return cr
	}
	out := *cr
	out.Gate = Gate{Field: cr.GateAt(release), List: cr.Gate.List}
	out.Unconvertible = nil
	return &out
}

// Parse reads a CR from its JSON. It reports what the API server would refuse or drop as
// findings, and returns nil if it cannot read the CR at all. The findings name no object,
// because only the caller knows where the CR is written.
//
// Parse compares keys as the API server does: exactly.
func Parse(data []byte) (*CR, finding.List) {
	var o object
	if err := decode(data, &o); err != nil {
		return nil, violated("", data, &o, err)
	}
	version, err := ParseVersion(o.APIVersion)
	if err != nil {
		return nil, finding.List{{
			ID: finding.APIVersionUnknown, Severity: finding.Error, Field: "apiVersion", Current: o.APIVersion,
			Text: err.Error(), Do: "migrate the CR to a version that HCO serves",
		}}
	}
	cr := &CR{
		Version: version, Name: o.Metadata.Name, Namespace: o.Metadata.Namespace, Annotations: o.Metadata.Annotations,
		Dump: o.isDump(),
	}
	var found finding.List
	if cr.Dump && version == V1 {
		o.Spec, found = withoutEmptyGates(o.Spec)
	}
	templates, unreadable := cr.readSpec(o.Spec)
	if unreadable != nil {
		return nil, unreadable
	}
	found = append(found, cr.misplaced(o.Spec)...)
	if cr.Unconvertible != nil {
		found = append(found, finding.Finding{
			ID: finding.SchemaViolated, Severity: finding.Error, Field: "metadata.annotations[" + v1OnlyAnnotation + "]",
			Text: cr.Unconvertible.Error() + ": HCO refuses the CR", Do: "remove the annotation, which HCO writes itself",
		})
	}
	readable := true
	for i, raw := range templates {
		template, list, ok := cr.readTemplate(i, raw)
		found = append(found, list...)
		cr.Templates = append(cr.Templates, template)
		readable = readable && ok
	}
	if !readable {
		return nil, found
	}
	return cr, found
}

// withoutEmptyGates returns the spec of a v1 object of a cluster without featureGates: {}. That is
// what an upgrade from 1.18 leaves in the stored object. The API server holds it although the CRD
// wants a list there, and HCO takes it as empty (hco #4549).
func withoutEmptyGates(data json.RawMessage) (json.RawMessage, finding.List) {
	var spec map[string]json.RawMessage
	var gates map[string]json.RawMessage
	if decode(data, &spec) != nil || len(spec["featureGates"]) == 0 || decode(spec["featureGates"], &gates) != nil || gates == nil || len(gates) > 0 {
		return data, nil
	}
	delete(spec, "featureGates")
	rest, err := json.Marshal(spec)
	if err != nil {
		return data, nil
	}
	return rest, finding.List{{
		ID: finding.SchemaViolated, Severity: finding.Warning, Field: "spec.featureGates",
		Text: "the CR of the cluster has an empty object in spec.featureGates, where v1 has a list: an upgrade of HCO left it there. " +
			"goldenarch reads it as empty, as HCO does (hyperconverged-cluster-operator#4549)",
		Do: "replace it on the cluster by an empty list: featureGates: []",
	}}
}

// readSpec reads the spec, except the templates, which it returns.
func (cr *CR) readSpec(data json.RawMessage) ([]json.RawMessage, finding.List) {
	if cr.Version == V1 {
		var spec specV1
		if err := decode(data, &spec); err != nil {
			return nil, violated("spec", data, &spec, err)
		}
		return cr.readV1(spec), nil
	}
	var spec specV1beta1
	if err := decode(data, &spec); err != nil {
		return nil, violated("spec", data, &spec, err)
	}
	return cr.readV1beta1(spec), nil
}

func (cr *CR) readV1(spec specV1) []json.RawMessage {
	cr.FeatureGates = spec.FeatureGates
	cr.Gate.List = FindGate(spec.FeatureGates, GateName)
	cr.Workloads = spec.Deployment.NodePlacements.Workload
	cr.Infra = spec.Deployment.NodePlacements.Infra
	cr.DefaultCPUModel = spec.Virtualization.VirtualMachineOptions.DefaultCPUModel
	cr.CommonImport = true
	if spec.WorkloadSources == nil {
		return nil
	}
	cr.HasWorkloadSources = true
	cr.Gate.Field = spec.WorkloadSources.Gate
	return cr.readSources(spec.WorkloadSources.sources)
}

func (cr *CR) readV1beta1(spec specV1beta1) []json.RawMessage {
	cr.Gate.Field = spec.FeatureGates.Gate
	cr.DeadCommonImport = spec.FeatureGates.CommonImport
	cr.Workloads = spec.Workloads.NodePlacement
	cr.Infra = spec.Infra.NodePlacement
	cr.DefaultCPUModel = spec.DefaultCPUModel
	if annotation := cr.Annotations[v1OnlyAnnotation]; annotation != "" {
		cr.Gate.Kept, cr.Unconvertible = keptGate(annotation)
	}
	return cr.readSources(spec.sources)
}

func (cr *CR) readSources(s sources) []json.RawMessage {
	cr.CommonImport = s.CommonImport == nil || *s.CommonImport
	cr.BootNamespace = s.BootNamespace
	return s.Templates
}

// readTemplate reads one entry of the list. It returns false and error findings for an
// entry that it cannot read.
func (cr *CR) readTemplate(i int, raw json.RawMessage) (Template, finding.List, bool) {
	entry := struct {
		Metadata *TemplateMetadata         `json:"metadata"`
		Spec     *cdiv1.DataImportCronSpec `json:"spec"`
	}{}
	path := cr.TemplatePath(i)
	if mayBeImmeasurable(raw) {
		if faults := shape.Immeasurable(path, raw, &entry); len(faults) > 0 {
			return Template{}, tooLarge(faults), false
		}
	}
	dropped, err := kjson.UnmarshalStrict(raw, &entry)
	if err != nil {
		return Template{}, violated(path, raw, &entry, err), false
	}
	found := droppedFields(path, dropped)
	found = append(found, missingFields(path, entry.Spec, raw)...)
	return Template{Index: i, Metadata: entry.Metadata, Spec: entry.Spec}, found, true
}

// mayBeImmeasurable reports whether JSON may have a quantity that [shape.Immeasurable] reports, so
// that nearly no template is decoded twice: such a quantity is long, or has an exponent of four
// digits. With a backslash, JSON may write either in another form.
func mayBeImmeasurable(data []byte) bool {
	const short, digits = 1000, 4
	if len(data) > short || bytes.IndexByte(data, '\\') >= 0 {
		return true
	}
	inExponent, count := false, 0
	for _, c := range data {
		switch {
		case c == 'e' || c == 'E':
			inExponent, count = true, 0
		case inExponent && count == 0 && (c == '+' || c == '-'):
		case inExponent && c >= '0' && c <= '9':
			if count++; count == digits {
				return true
			}
		default:
			inExponent = false
		}
	}
	return false
}

// Parsed keeps the CRs of a run by their JSON. So goldenarch encodes and parses each CR once, although
// several steps use it. Callers share the CR that it returns, and copy it before they
// change it. A nil Parsed keeps nothing.
type Parsed struct {
	// Assume returns a CR with a value for each variable that something fills in before the CR
	// is applied, and these variables; nil if nothing does.
	Assume func(data []byte) ([]byte, []Variable)

	mu      sync.Mutex
	encoded map[any]encoded     // by what the object holds
	known   map[uint64][]parsed // by the hash of the JSON
}

// encoded is the JSON of a CR, or why it has none.
type encoded struct {
	data []byte
	err  error
}

// Variable is a field of a CR that something fills in before the CR is applied.
type Variable struct {
	// Path is the path of the field: "spec.dataImportCronTemplates[0].metadata.name".
	Path string
	// Decides reports whether what goldenarch writes or predicts depends on the value, so that no
	// other value can stand for it.
	Decides bool
}

type parsed struct {
	data  []byte
	cr    *CR
	found finding.List
}

// Encoded returns the JSON of what an object holds, and encodes it when it is first asked for.
func (p *Parsed) Encoded(content any, encode func() ([]byte, error)) ([]byte, error) {
	if p == nil {
		return encode()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	out, ok := p.encoded[content]
	if !ok {
		if p.encoded == nil {
			p.encoded = map[any]encoded{}
		}
		out.data, out.err = encode()
		p.encoded[content] = out
	}
	return out.data, out.err
}

// Filled returns a CR with a value for each variable, and the variables. Equal CRs are the same text,
// which nobody changes: a large CR has many readers.
func (p *Parsed) Filled(data []byte) ([]byte, []Variable) {
	if p == nil {
		return data, nil
	}
	var variables []Variable
	if p.Assume != nil {
		data, variables = p.Assume(data)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if one, ok := p.find(data); ok {
		data = one.data
	}
	return data, variables
}

// find finds a CR that was parsed.
func (p *Parsed) find(data []byte) (parsed, bool) {
	list := p.known[maphash.Bytes(seed, data)]
	i := slices.IndexFunc(list, func(one parsed) bool { return bytes.Equal(one.data, data) })
	if i < 0 {
		return parsed{}, false
	}
	return list[i], true
}

// seed is the hash seed of all CRs in a process.
var seed = maphash.MakeSeed()

// Parse returns the result of [Parse] for a CR with a value for each variable.
func (p *Parsed) Parse(data []byte) (*CR, finding.List) {
	if p == nil {
		return Parse(data)
	}
	data, _ = p.Filled(data)
	p.mu.Lock()
	defer p.mu.Unlock()
	one, ok := p.find(data)
	if !ok {
		one.data = data
		one.cr, one.found = Parse(data)
		if p.known == nil {
			p.known = map[uint64][]parsed{}
		}
		key := maphash.Bytes(seed, data)
		p.known[key] = append(p.known[key], one)
	}
	return one.cr, slices.Clone(one.found)
}

// Len returns how many CRs were parsed.
func (p *Parsed) Len() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := 0
	for _, list := range p.known {
		n += len(list)
	}
	return n
}

// Forms returns how many forms of objects were encoded.
func (p *Parsed) Forms() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.encoded)
}

// object is the part of the CR that both versions share.
type object struct {
	APIVersion string `json:"apiVersion"`
	Metadata   struct {
		Name            string            `json:"name"`
		Namespace       string            `json:"namespace"`
		UID             string            `json:"uid"`
		ResourceVersion string            `json:"resourceVersion"`
		Annotations     map[string]string `json:"annotations"`
	} `json:"metadata"`
	Spec   json.RawMessage `json:"spec"`
	Status json.RawMessage `json:"status"`
}

// isDump reports whether the object was read from a cluster. An empty status does not
// count, because tools that generate manifests write one.
func (o object) isDump() bool {
	status := string(o.Status)
	return o.Metadata.UID != "" || o.Metadata.ResourceVersion != "" || status != "" && status != "null" && status != "{}"
}

// sources is v1's spec.workloadSources, and a part of v1beta1's spec.
type sources struct {
	Templates     []json.RawMessage `json:"dataImportCronTemplates"`
	CommonImport  *bool             `json:"enableCommonBootImageImport"`
	BootNamespace string            `json:"commonBootImageNamespace"`
}

type specV1 struct {
	FeatureGates    []FeatureGate `json:"featureGates"`
	WorkloadSources *struct {
		sources `json:",inline"`
		Gate    *bool `json:"enableMultiArchBootImageImport"`
	} `json:"workloadSources"`
	Deployment struct {
		NodePlacements struct {
			Workload NodePlacement `json:"workload"`
			Infra    NodePlacement `json:"infra"`
		} `json:"nodePlacements"`
	} `json:"deployment"`
	Virtualization struct {
		VirtualMachineOptions struct {
			DefaultCPUModel string `json:"defaultCPUModel"`
		} `json:"virtualMachineOptions"`
	} `json:"virtualization"`
}

type specV1beta1 struct {
	sources      `json:",inline"`
	FeatureGates struct {
		Gate         *bool `json:"enableMultiArchBootImageImport"`
		CommonImport *bool `json:"enableCommonBootImageImport"`
	} `json:"featureGates"`
	Workloads struct {
		NodePlacement NodePlacement `json:"nodePlacement"`
	} `json:"workloads"`
	Infra struct {
		NodePlacement NodePlacement `json:"nodePlacement"`
	} `json:"infra"`
	DefaultCPUModel string `json:"defaultCPUModel"`
}

// decode reads JSON as the API server does: it compares keys exactly. Empty data and null
// become the zero value.
func decode(data json.RawMessage, into any) error {
	if len(data) == 0 || string(data) == "null" {
		return nil
	}
	return kjson.UnmarshalCaseSensitivePreserveInts(data, into)
}

// violated reports the part of the CR that cannot be decoded. It uses the paths and the
// terms of the CR instead of Go's types.
func violated(path string, data []byte, into any, err error) finding.List {
	found := refused(shape.Faults(path, data, into))
	if len(found) == 0 {
		found = finding.List{{
			ID: finding.SchemaViolated, Severity: finding.Error, Field: path,
			Text: refusal + strings.TrimPrefix(err.Error(), "json: "), Do: "correct the value",
		}}
	}
	return found
}

// tooLarge reports quantities of the CR that are too large for calculations.
func tooLarge(faults []shape.Fault) finding.List {
	var found finding.List
	for _, fault := range faults {
		found = append(found, finding.Finding{
			ID: finding.SchemaViolated, Severity: finding.Error, Field: fault.Path, Current: fault.Value,
			Text: fault.Path + " " + fault.Text + ": the operators write out all of its digits", Do: fault.Do,
		})
	}
	return found
}

const refusal = "the API server would refuse the CR: "

// refused reports the values of the CR that the API server refuses.
func refused(faults []shape.Fault) finding.List {
	var found finding.List
	for _, fault := range faults {
		f := finding.Finding{
			ID: finding.SchemaViolated, Severity: finding.Error, Field: fault.Path, Current: fault.Value,
			Text: refusal + cmp.Or(fault.Path, "it") + " " + fault.Text, Do: fault.Do,
		}
		// A policy of ACM has its templates in strings, and the controller puts any type in their place.
		if text, ok := fault.Value.(string); ok && template.HasAction(text) {
			f.Text = fmt.Sprintf("a template gives %s ({{ or {%%), so goldenarch does not know the value", fault.Path)
			f.Do = "write the value, or pass what the template renders"
		}
		found = append(found, f)
	}
	return found
}

// droppedFields returns a finding for each field that the type of a template does not have.
// The API server refuses such a field in a server-side or strict apply, and otherwise drops
// it.
func droppedFields(path string, unknown []error) finding.List {
	var found finding.List
	for _, err := range unknown {
		_, quoted, _ := strings.Cut(err.Error(), " field ")
		field := strings.Trim(quoted, `"`)
		// Tools that copy Kubernetes metadata leave this field, which is always null.
		if strings.HasSuffix(field, "metadata.creationTimestamp") {
			continue
		}
		f := finding.Finding{
			ID: finding.FieldMisplaced, Severity: finding.Warning, Field: path + "." + field,
			Text: fmt.Sprintf("a template has no field %q: a server-side or strict apply (Flux, kubectl) refuses the CR, any other drops the field", field),
			Do:   "remove the field",
		}
		if field == "name" || field == "annotations" || field == "labels" {
			f.Do = "indent it below metadata"
		}
		found = append(found, f)
	}
	return found
}

// required lists what the CRD requires of a template that has a spec (hco
// config/crd/bases: hco.kubevirt.io_hyperconvergeds.yaml).
var required = []Path{
	{"spec", "managedDataSource"},
	{"spec", "schedule"},
	{"spec", "template"},
	{"spec", "template", "spec"},
	{"spec", "template", "spec", "source", "http", "url"},
	{"spec", "template", "spec", "source", "s3", "url"},
	{"spec", "template", "spec", "source", "gcs", "url"},
	{"spec", "template", "spec", "source", "pvc", "name"},
	{"spec", "template", "spec", "source", "pvc", "namespace"},
	{"spec", "template", "spec", "source", "snapshot", "name"},
	{"spec", "template", "spec", "source", "snapshot", "namespace"},
}

// missingFields reports the fields that the CRD requires and a template lacks. The CRD
// requires a field only if its parent exists.
func missingFields(path string, spec *cdiv1.DataImportCronSpec, raw json.RawMessage) finding.List {
	if complete(spec) {
		return nil
	}
	var entry map[string]any
	if err := json.Unmarshal(raw, &entry); err != nil {
		return nil
	}
	var found finding.List
	for _, field := range required {
		parent, ok := lookup(entry, field[:len(field)-1]).(map[string]any)
		if !ok {
			continue
		}
		if value, ok := parent[field[len(field)-1]]; ok && value != nil {
			continue
		}
		found = append(found, finding.Finding{
			ID: finding.SchemaViolated, Severity: finding.Error, Field: path + "." + field.String(),
			Text: fmt.Sprintf("the API server would refuse the CR: a template needs %s", field),
			Do:   "add it: HCO replaces the whole spec of a predefined template, and adds only an empty schedule",
		})
	}
	return found
}

// complete reports whether a spec has all required fields, as nearly all specs do. The
// decoded spec does not distinguish an empty field from a missing one.
func complete(spec *cdiv1.DataImportCronSpec) bool {
	if spec == nil || spec.ManagedDataSource == "" || spec.Schedule == "" || spec.Template.Spec.Source == nil {
		return false
	}
	source := *spec.Template.Spec.Source
	source.Registry = nil // requires nothing
	return source == cdiv1.DataVolumeSource{}
}

// misplaced returns a finding for each field that is written where the other API version
// keeps it.
func (cr *CR) misplaced(spec json.RawMessage) finding.List {
	other := cr.Version.Other()
	here, there := cr.Version.Paths(), other.Paths()
	type move struct{ from, to Path }
	moves := []move{
		{there.Templates, here.Templates},
		{there.CommonImport, here.CommonImport},
		{there.BootNamespace, here.BootNamespace},
		{there.Workloads, here.Workloads},
		{there.Infra, here.Infra},
		{other.GatePath(), cr.Version.GatePath()},
	}
	// Most CRs have not even the word, and need no decoding.
	mayHave := func(m move) bool { return bytes.Contains(spec, []byte(strconv.Quote(m.from[1]))) }
	if bytes.IndexByte(spec, '\\') < 0 && !slices.ContainsFunc(moves, mayHave) {
		return nil
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(spec, &fields); err != nil {
		return nil
	}
	var found finding.List
	for _, move := range moves {
		if !has(fields, move.from[1:]) {
			continue
		}
		found = append(found, finding.Finding{
			ID: finding.FieldMisplaced, Severity: finding.Error, Field: move.from.String(),
			Text: fmt.Sprintf("%s/%s has no field %s: a server-side or strict apply (Flux, kubectl) refuses the CR, any other drops the field, and HCO never sees it",
				Group, cr.Version, move.from),
			Do: fmt.Sprintf("move it to %s, or use apiVersion %s/%s", move.to, Group, other),
		})
	}
	return found
}

// has reports whether an object has a value other than null at a path.
func has(fields map[string]json.RawMessage, path Path) bool {
	value, ok := fields[path[0]]
	if !ok || string(value) == "null" {
		return false
	}
	if len(path) == 1 {
		return true
	}
	var below map[string]json.RawMessage
	return json.Unmarshal(value, &below) == nil && has(below, path[1:])
}

// lookup returns the value at a path of decoded JSON; nil if the path does not exist.
func lookup(tree any, path Path) any {
	for _, key := range path {
		m, _ := tree.(map[string]any)
		tree = m[key]
	}
	return tree
}
