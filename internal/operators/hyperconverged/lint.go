package hyperconverged

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/cdi"
	"github.com/goldenarch/goldenarch/internal/spelling"
)

// Lint reports fields of the CR that do not have the effect that the author probably
// expects.
func Lint(cr *CR, table Table) finding.List {
	found := cr.lintFeatureGates()
	if why := cr.IgnoredBecause(); why != "" {
		found = append(found, finding.Finding{
			ID: finding.NameUnusual, Severity: finding.Error, Field: "metadata.name", Current: cr.Name, Proposed: Name,
			Text: why, Do: "rename it to " + Name + ". A namePrefix or nameSuffix of a kustomization must not change it",
		})
	}
	// What is no name is a variable that somebody fills in later.
	if ns := cr.Namespace; ns != Name && ns != DownstreamNamespace && len(validation.IsDNS1123Label(ns)) == 0 {
		found = append(found, finding.Finding{
			ID: finding.NamespaceUnusual, Severity: finding.Warning, Field: "metadata.namespace", Current: ns,
			Text: fmt.Sprintf("HCO handles only the CR in its own namespace, which is %s or %s if nobody installed it elsewhere", DownstreamNamespace, Name),
			Do:   fmt.Sprintf("correct the namespace, also that of a kustomization; where HCO runs in %q, ignore the finding", ns),
		})
	}
	found = append(found, cr.lintOperandPatches()...)
	if off := cr.DeadCommonImport; off != nil && !*off {
		found = append(found, finding.Finding{
			ID: finding.DeadFeatureGate, Severity: finding.Warning,
			Field: cr.Version.Paths().FeatureGates.Child("enableCommonBootImageImport").String(), Current: false,
			Text: "HCO ignores the feature gate enableCommonBootImageImport, so it still imports the predefined templates",
			Do:   fmt.Sprintf("set %s: false", cr.Version.Paths().CommonImport),
		})
	}
	found = append(found, cr.misspelledAnnotations()...)
	found = append(found, cr.similarAnnotations()...)
	return append(found, sharedDataSources(cr, table)...)
}

func (cr *CR) lintFeatureGates() finding.List {
	var found finding.List
	var seen []string
	for i, gate := range cr.FeatureGates {
		name := strings.ToLower(gate.Name)
		if slices.Contains(seen, name) {
			found = append(found, finding.Finding{
				ID: finding.FeatureGateDuplicate, Severity: finding.Error, Field: cr.Version.Paths().FeatureGates.At(i), Current: gate.Name,
				Text: fmt.Sprintf("the API server would refuse the CR: feature gate %q is a duplicate (HCO ignores the case of the name)", gate.Name),
				Do:   "remove one of them",
			})
		}
		seen = append(seen, name)
	}
	return found
}

// sharedDataSources reports templates that fill the same DataSource. For each architecture,
// SSP silently keeps one of them, the last by name (ssp-operator data-sources/reconcile.go:
// addToCronMap).
func sharedDataSources(cr *CR, table Table) finding.List {
	var found finding.List
	first := map[string]Classified{}
	active := slices.DeleteFunc(Classify(cr, table), func(c Classified) bool {
		return c.Class == ClassDisabled || c.Class == ClassDropped || c.ManagedDataSource() == ""
	})
	slices.SortStableFunc(active, func(a, b Classified) int { return compareNames(a.Template, b.Template) })
	for _, c := range active {
		key := c.Metadata.namespace() + "/" + c.ManagedDataSource()
		other, shared := first[key]
		if !shared {
			first[key] = c
			continue
		}
		if other.Name() == c.Name() {
			continue // another finding reports the duplicate name
		}
		in := c
		if in.Index < 0 {
			in = other
		}
		field := cr.Version.Paths().Templates.String()
		if in.Index >= 0 {
			field = cr.TemplatePath(in.Index) + ".spec.managedDataSource"
		}
		found = append(found, finding.Finding{
			ID: finding.SharedDataSource, Severity: finding.Warning, Field: field, Current: c.ManagedDataSource(),
			Text: fmt.Sprintf("templates %q and %q both fill DataSource %q: SSP keeps %q for each architecture that both have",
				other.Name(), c.Name(), c.ManagedDataSource(), c.Name()),
			Do: "give one of them another managedDataSource",
		})
	}
	return found
}

func (m *TemplateMetadata) namespace() string {
	if m == nil {
		return ""
	}
	return m.Namespace
}

// annotation is an annotation that HCO, SSP, CDI or goldenarch read, with its effect.
type annotation struct {
	key, does string
	// distinctive says that no other API group has an annotation with this name.
	distinctive bool
}

// annotationsOfTemplates are those of templates.
var annotationsOfTemplates = []annotation{
	{ClaimAnnotation, "HCO reads the architectures of the template from", true},
	{EnableAnnotation, "HCO reads whether a template is enabled from", false},
	{BindAnnotation, "CDI decides whether to bind the volume immediately by", true},
	{WrittenAnnotation, "goldenarch records the architectures that it wrote in", false},
	{DisabledAnnotation, "goldenarch records why it disabled a template in", false},
}

// misspelledAnnotations returns a warning for each annotation of a template whose key is similar
// to a known one. It does not warn if the template also has the known annotation.
func (cr *CR) misspelledAnnotations() finding.List {
	var found finding.List
	for i, t := range cr.Templates {
		if t.Metadata == nil {
			continue
		}
		for _, key := range slices.Sorted(maps.Keys(t.Metadata.Annotations)) {
			if meant, ok := nearest(key, t.Metadata.Annotations, annotationsOfTemplates); ok {
				found = append(found, meant.misspelled(key, cr.TemplatePath(i)+".metadata.annotations["+key+"]"))
			}
		}
	}
	return found
}

// nearest returns the known annotation whose key is similar to key; false if none is, if key is
// known itself, or if the object has that annotation too.
func nearest(key string, has map[string]string, known []annotation) (annotation, bool) {
	if isKnown(key, known) {
		return annotation{}, false
	}
	for _, one := range known {
		if _, ok := has[one.key]; !ok && resemble(key, one.key, one.distinctive) {
			return one, true
		}
	}
	return annotation{}, false
}

func isKnown(key string, known []annotation) bool {
	return slices.ContainsFunc(known, func(one annotation) bool { return one.key == key })
}

// misspelled reports a key that is similar to that of the annotation.
func (a annotation) misspelled(key, field string) finding.Finding {
	return finding.Finding{
		ID: finding.AnnotationMisspelled, Severity: finding.Warning, Field: field, Current: key, Proposed: a.key,
		Text: fmt.Sprintf("no operator reads the annotation %q: %s %q", key, a.does, a.key),
		Do:   "rename it to " + a.key,
	}
}

// resemble reports whether an annotation's key is similar to a known one. Either the prefix
// is the same and the name is similar, or the prefix is similar. If the name is
// distinctive, a prefix of the same project is enough.
func resemble(key, known string, distinctive bool) bool {
	prefix, name := cutKey(key)
	knownPrefix, knownName := cutKey(known)
	sameName := name == knownName
	similarName := sameName || spelling.Word(name, []string{knownName}) != ""
	switch {
	case key == known, !similarName:
		return false
	case prefix == knownPrefix, spelling.Word(prefix, []string{knownPrefix}) != "" && sameName:
		return true
	default:
		return distinctive && (prefix == "" || prefix == "kubevirt.io" || strings.HasSuffix(prefix, ".kubevirt.io"))
	}
}

// cutKey returns the prefix and the name of a key: "ssp.kubevirt.io" and
// "dict.architectures".
func cutKey(key string) (prefix, name string) {
	if prefix, name, ok := strings.Cut(key, "/"); ok {
		return prefix, name
	}
	return "", key
}

// annotationsOfCR are the annotations of the CR itself that HCO or goldenarch read, with
// the effect of each (hco pkg/util/consts.go).
var annotationsOfCR = []annotation{
	{SSPPatchAnnotation, "HCO patches the SSP CR with", false},
	{"kubevirt.kubevirt.io/jsonpatch", "HCO patches the KubeVirt CR with", false},
	{"containerizeddataimporter.kubevirt.io/jsonpatch", "HCO patches the CDI CR with", false},
	{"networkaddonsconfigs.kubevirt.io/jsonpatch", "HCO patches the NetworkAddonsConfig CR with", false},
}

// ReadsAnnotation reports whether HCO or goldenarch reads an annotation of the CR itself.
func ReadsAnnotation(key string) bool { return isKnown(key, annotationsOfCR) }

// similarAnnotations returns a warning for each annotation of the CR itself that has no
// effect there. Such an annotation belongs on a template, or its key is similar to a known
// one.
func (cr *CR) similarAnnotations() finding.List {
	var found finding.List
	for _, key := range slices.Sorted(maps.Keys(cr.Annotations)) {
		field := "metadata.annotations[" + key + "]"
		switch meant, ok := nearest(key, cr.Annotations, annotationsOfCR); {
		case key == ClaimAnnotation || key == EnableAnnotation:
			found = append(found, finding.Finding{
				ID: finding.AnnotationMisspelled, Severity: finding.Warning, Field: field, Current: key,
				Text: fmt.Sprintf("HCO ignores the annotation %q on the CR: it reads this annotation on templates", key),
				Do:   "move it to metadata.annotations of the template",
			})
		case ok:
			found = append(found, meant.misspelled(key, field))
		}
	}
	return found
}

// Refused reports what HCO's webhooks refuse in the templates of the CR, and what makes HCO
// or SSP fail later. These findings are errors in HCO's own words (hco
// pkg/webhooks/validator/validator.go). If something is only surprising, the finding is a
// warning.
func Refused(cr *CR, table Table) finding.List {
	var found finding.List
	seen := map[string]int{}
	for _, c := range Classify(cr, table) {
		if c.Index < 0 {
			continue
		}
		path := cr.TemplatePath(c.Index)
		found = append(found, cr.refusedTemplate(c, path)...)
		if first, twice := seen[c.Name()]; twice && c.Name() != "" {
			found = append(found, finding.Finding{
				ID: finding.NameDuplicate, Severity: finding.Error, Field: path + ".metadata.name", Current: c.Name(),
				Text: fmt.Sprintf("%s also has the name %q: HCO refuses the CR", cr.TemplatePath(first), c.Name()),
				Do:   "rename or remove one of them, even if it is disabled",
			})
		} else {
			seen[c.Name()] = c.Index
		}
	}
	return found
}

func (cr *CR) refusedTemplate(c Classified, path string) finding.List {
	if c.Name() == "" {
		// SSP's webhook refuses it: "missing name in DataImportCronTemplate". HCO's own
		// patch fails on an entry without metadata.
		return finding.List{{
			ID: finding.NameMissing, Severity: finding.Error, Field: path + ".metadata.name",
			Text: "the template has no name: SSP refuses all templates of the CR",
			Do:   "give the template a metadata.name",
		}}
	}
	var found finding.List
	if value, ok := c.Annotation(EnableAnnotation); ok && !isBool(value) {
		found = append(found, finding.Finding{
			ID: finding.EnableInvalid, Severity: finding.Error,
			Field: path + ".metadata.annotations[" + EnableAnnotation + "]", Current: value,
			Text: fmt.Sprintf(`the annotation %s must be "true" or "false", but it is %q: HCO refuses the CR`, EnableAnnotation, value),
			Do:   `write "true" or "false", or remove the annotation`,
		})
	}
	switch {
	case !c.Enabled():
	case c.Spec == nil:
		found = append(found, finding.Finding{
			ID: finding.SpecMissing, Severity: finding.Error, Field: path + ".spec",
			Text: "the template is enabled and has an empty spec: HCO refuses the CR",
			Do:   `add the spec, or disable the template with the annotation ` + EnableAnnotation + `: "false"`,
		})
	case c.Source() == nil:
		found = append(found, missingSource(c, path))
	case c.ManagedDataSource() == "":
		found = append(found, finding.Finding{
			ID: finding.DataSourceMissing, Severity: finding.Error, Field: path + ".spec.managedDataSource", Current: "",
			Text: fmt.Sprintf("template %q has an empty managedDataSource: CDI refuses its DataImportCron, and SSP keeps failing", c.Name()),
			Do:   "name the DataSource that the template fills",
		})
	}
	if c.Enabled() && c.Spec != nil {
		found = append(found, cr.wrongNames(c, path)...)
	}
	if c.Class == ClassDropped {
		found = append(found, finding.Finding{
			ID: finding.TemplateDropped, Severity: finding.Warning, Field: path,
			Text: fmt.Sprintf("HCO silently drops template %q: %s is false, and the template has the name of a predefined one", c.Name(),
				cr.Version.Paths().CommonImport),
			Do: "rename the template",
		})
	}
	if c.Class == ClassCustomized && len(c.Metadata.Labels) > 0 && !sameLabels(c) {
		found = append(found, finding.Finding{
			ID: finding.LabelsIgnored, Severity: finding.Warning, Field: path + ".metadata.labels",
			Text: fmt.Sprintf("HCO uses its own labels for the predefined template %q and ignores these", c.Name()),
			Do:   "remove the labels",
		})
	}
	return found
}

// wrongNames reports what the API server refuses in the names, the namespace, labels and
// annotations of the objects that SSP and CDI make from a template. SSP adds the architecture to the
// name of a template with declared architectures, which makes up for a dash at the end.
func (cr *CR) wrongNames(c Classified, path string) finding.List {
	m := metav1.ObjectMeta{
		Name: c.Name(), Namespace: cmp.Or(c.Metadata.Namespace, DownstreamNamespace), Labels: c.Metadata.Labels, Annotations: c.Metadata.Annotations,
	}
	if claim, _ := c.Declared(); cr.Gate.On() && claim != "" {
		m.Name += "-" + string(arch.AMD64)
	}
	if c.Class == ClassCustomized {
		m.Labels = nil // HCO uses its own
	}
	var found finding.List
	report := func(at, what, object, then string, wrong *field.Error) {
		why, _, _ := strings.Cut(wrong.Detail, " (e.g.")
		found = append(found, finding.Finding{
			ID: finding.NameInvalid, Severity: finding.Error, Field: path + "." + at,
			Text: fmt.Sprintf("template %q: the API server refuses a %s with the %s %q: %s. %s", c.Name(), object, what, fmt.Sprint(wrong.BadValue), why, then),
			Do:   "correct the " + what,
		})
	}
	if wrong := cdi.WrongMetadata(m); len(wrong) > 0 {
		at := wrong[0].Field
		what := strings.TrimSuffix(strings.TrimPrefix(at, "metadata."), "s")
		report(at, what, "DataImportCron", "SSP stops there, and may create no other golden image", wrong[0])
	}
	source := metav1.ObjectMeta{Name: cmp.Or(c.ManagedDataSource(), Name), Namespace: DownstreamNamespace}
	if wrong := cdi.WrongMetadata(source); len(wrong) > 0 {
		then := "CDI imports nothing for the template"
		if cr.Gate.On() {
			then = "SSP stops there, and creates no golden image"
		}
		report("spec.managedDataSource", "name", "DataSource", then, wrong[0])
	}
	return found
}

// missingSource reports an enabled template without spec.template.spec.source. If its name
// is predefined, HCO and its webhook dereference the source and panic (hco
// golden_images.go: customizeCommonDICT). With common import off, HCO drops the template
// before that. If the name is not predefined, HCO passes the template on and CDI refuses
// it.
func missingSource(c Classified, path string) finding.Finding {
	f := finding.Finding{
		ID: finding.SourceMissing, Severity: finding.Error, Field: path + ".spec.template.spec.source",
		Do: "add the source: HCO replaces the whole spec of a predefined template and merges nothing",
	}
	switch c.Class {
	case ClassCustomized:
		f.Text = fmt.Sprintf("HCO panics on template %q: it is enabled, has the name of a predefined template, and has no spec.template.spec.source", c.Name())
	case ClassDropped:
		f.Severity = finding.Warning
		f.Text = fmt.Sprintf("template %q has no spec.template.spec.source: HCO panics as soon as it does not drop the template", c.Name())
	default:
		f.Text = fmt.Sprintf("template %q has no spec.template.spec.source: CDI refuses its DataImportCron", c.Name())
		f.Do = "add the source"
	}
	return f
}

func sameLabels(c Classified) bool {
	for key, value := range c.Metadata.Labels {
		if c.Base.Metadata.Labels[key] != value {
			return false
		}
	}
	return true
}

func isBool(s string) bool { return strings.EqualFold(s, "true") || strings.EqualFold(s, "false") }
