package repo

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest/wrapper"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// Checked is an object that a check judges: a CR, a virtual machine, or an object with pods in a run about them.
type Checked struct {
	finding.Object
	// Wrapper is the outermost object that carries it to the cluster, such as a Policy; zero for none.
	Wrapper finding.Object
	// Machine says that it is a virtual machine or a disk, and Pods that it has pods. Else it is a CR.
	Machine, Pods bool
	// Images are the images of its pods. kustomize replaces none of a container disk.
	Images []string
	// Variables are the fields with variables of Flux on which the check depends. Those of a CR are reported elsewhere.
	Variables []string
	// Place is where in the values of a chart the object is; nil for a manifest.
	Place []string
	// KeptBack is the annotation by which its host does not apply it, or no edit of it; "" for none.
	KeptBack string

	// built says that kustomize builds it, so that a patch may select it by a shorter name and another namespace.
	built bool
}

// What names the object to the user.
func (o Checked) What() string {
	switch {
	case o.Pods:
		return "object"
	case o.Machine:
		return "machine"
	}
	return "CR"
}

// Change is what a field on the way does to an object that is checked.
type Change struct{ Field, Does string }

// row is a field of what applies a directory that is not followed, and that can change, add or hide objects.
// Labels and replicas, and fields that say when and as whom something is applied, have no row: they change nothing that a
// check judges.
type row[Spec any] struct {
	field string
	// does says what the field does to the object; %s are its variables.
	does string
	// touches reports whether it may do so to an object that is checked.
	touches func(of Spec, o Checked) bool
}

const (
	patchesIt  = "patches it"
	renamesIt  = "changes its name"
	movesIt    = "changes its namespace"
	annotates  = "adds an annotation that HCO reads"
	buildsMore = "builds it with more than its kustomization"
	otherImage = "replaces an image of it"
	givesValue = "sets values over those of the file"
)

// applicationRows is what the source of an Application of Argo CD says (argo-cd
// pkg/apis/application/v1alpha1/types.go: ApplicationSource).
var applicationRows = []row[applicationSource]{
	{"directory", "applies the files as they are, and not what the kustomization builds", func(s applicationSource, o Checked) bool { return o.built && s.isPlain() }},
	{"kustomize.patches", patchesIt, func(s applicationSource, o Checked) bool { return s.Kustomize.patch(o) }},
	{"kustomize.components", buildsMore, func(s applicationSource, _ Checked) bool { return len(s.Kustomize.Components) > 0 }},
	{"kustomize.namePrefix", renamesIt, func(s applicationSource, o Checked) bool { return s.Kustomize.NamePrefix != "" && o.hasName() }},
	{"kustomize.nameSuffix", renamesIt, func(s applicationSource, o Checked) bool { return s.Kustomize.NameSuffix != "" && o.hasName() }},
	{"kustomize.namespace", movesIt, func(s applicationSource, o Checked) bool { return o.isOutside(s.Kustomize.Namespace) }},
	{"kustomize.commonAnnotations", annotates, func(s applicationSource, o Checked) bool { return o.reads(s.Kustomize.CommonAnnotations) }},
	{"kustomize.images", otherImage, func(s applicationSource, o Checked) bool { return s.Kustomize.replace(o) }},
	{"helm.values", givesValue, func(s applicationSource, o Checked) bool { return s.Helm.Values.has(o.Place) }},
	{"helm.valuesObject", givesValue, func(s applicationSource, o Checked) bool { return s.Helm.ValuesObject.has(o.Place) }},
	{"helm.parameters", givesValue, func(s applicationSource, o Checked) bool { return s.Helm.Parameters.has(o.Place) }},
	{"helm.fileParameters", givesValue, func(s applicationSource, o Checked) bool { return s.Helm.FileParameters.has(o.Place) }},
	{"helm.valueFiles", givesValue, func(s applicationSource, o Checked) bool { return overridden(s.Helm.files, o) }},
}

// sourceFileRows is what else a file .argocd-source.yaml says, which has the fields of a source.
var sourceFileRows = []row[applicationSource]{
	{"plugin", "makes the manifests with a plugin", func(s applicationSource, _ Checked) bool { return s.Plugin != nil }},
	{"directory", "says which files of the directory count", func(s applicationSource, o Checked) bool { return !o.built && s.isPlain() }},
}

// applicationSetRows is what an ApplicationSet says beside the source of its template (argo-cd
// pkg/apis/application/v1alpha1/applicationset_types.go: ApplicationSetSpec).
var applicationSetRows = []row[applicationSet]{
	{"templatePatch", "changes its source", func(s applicationSet, _ Checked) bool { return s.patchesSource() }},
}

// kustomizationRows is what a Kustomization of Flux says.
var kustomizationRows = []row[kustomizationSpec]{
	{"spec.patches", patchesIt, func(k kustomizationSpec, o Checked) bool { return k.patch(o) }},
	{"spec.patchesStrategicMerge", patchesIt, func(k kustomizationSpec, o Checked) bool {
		return slices.ContainsFunc(k.PatchesStrategicMerge, func(patch json.RawMessage) bool { return o.isNamedIn(string(patch)) })
	}},
	{"spec.patchesJson6902", patchesIt, func(k kustomizationSpec, o Checked) bool {
		return slices.ContainsFunc(k.PatchesJSON6902, func(p jsonPatch) bool { return p.Target.selects(o) })
	}},
	{"spec.components", buildsMore, func(k kustomizationSpec, _ Checked) bool { return len(k.Components) > 0 }},
	{"spec.namePrefix", renamesIt, func(k kustomizationSpec, o Checked) bool { return k.NamePrefix != "" && o.hasName() }},
	{"spec.nameSuffix", renamesIt, func(k kustomizationSpec, o Checked) bool { return k.NameSuffix != "" && o.hasName() }},
	{"spec.targetNamespace", movesIt, func(k kustomizationSpec, o Checked) bool { return o.isOutside(k.TargetNamespace) }},
	{"spec.commonMetadata.annotations", annotates, func(k kustomizationSpec, o Checked) bool { return o.reads(k.CommonMetadata.Annotations) }},
	{"spec.images", otherImage, func(k kustomizationSpec, o Checked) bool { return k.replace(o) }},
	{"spec.postBuild", "fills in %s", func(k kustomizationSpec, o Checked) bool { return k.PostBuild.fillsIn() && len(o.Variables) > 0 }},
}

// helmReleaseRows is what a HelmRelease of Flux says of a chart with an object in its values.
var helmReleaseRows = []row[helmReleaseSpec]{
	{"spec.values", givesValue, func(r helmReleaseSpec, o Checked) bool { return r.Values.has(o.Place) }},
	{"spec.valuesFrom", givesValue, func(r helmReleaseSpec, o Checked) bool { return len(r.ValuesFrom) > 0 && len(o.Place) > 0 }},
	{"spec.chart.spec.valuesFiles", givesValue, func(r helmReleaseSpec, o Checked) bool { return overridden(r.files, o) }},
	{"spec.commonMetadata.annotations", annotates, func(r helmReleaseSpec, o Checked) bool { return o.reads(r.CommonMetadata.Annotations) }},
	{"spec.postRenderers", "changes what the chart makes of it", func(r helmReleaseSpec, o Checked) bool {
		o.built = true
		return slices.ContainsFunc(r.PostRenderers, func(p postRenderer) bool { return p.Kustomize.patch(o) || p.Kustomize.replace(o) })
	}},
}

// policyGeneratorRows is what an entry of a PolicyGenerator says of the file or directory that it wraps.
var policyGeneratorRows = []row[wrapper.Carrier]{
	{"patches", patchesIt, func(c wrapper.Carrier, o Checked) bool {
		return slices.ContainsFunc(c.Patches, func(kind string) bool { return kind == "" || kind == o.Kind })
	}},
	{"complianceType", "deletes it from the cluster (mustnothave)", func(c wrapper.Carrier, _ Checked) bool {
		return c.Reach == wrapper.Compared && !c.Remediation.Informs()
	}},
}

// touching returns what the fields of a specification do to an object.
func touching[Spec any](rows []row[Spec], of Spec, o Checked) []Change {
	var out []Change
	for _, one := range rows {
		if one.touches(of, o) {
			out = append(out, Change{one.field, strings.ReplaceAll(one.does, "%s", strings.Join(o.Variables, ", "))})
		}
	}
	return out
}

// ChangesOf returns the fields on the way that can change an object of the directory. No field of a route is for more
// than what it applies: the caller asks the routes of the object's directory.
func (r Route) ChangesOf(o Checked) []Change {
	o.built = r.kustomized
	var out []Change
	switch {
	case r.flux != nil:
		out = touching(kustomizationRows, *r.flux, o)
	case r.release != nil:
		out = touching(helmReleaseRows, *r.release, o)
	case r.source != nil:
		out = touching(applicationRows, *r.source, o)
	}
	if r.set != nil {
		out = append(out, touching(applicationSetRows, *r.set, o)...)
	}
	for _, file := range r.files {
		for _, one := range slices.Concat(touching(applicationRows, file.applicationSource, o), touching(sourceFileRows, file.applicationSource, o)) {
			out = append(out, Change{file.name + ": " + one.Field, one.Does})
		}
	}
	return out
}

// ChangesBy returns the fields of a PolicyGenerator that can change an object of what it wraps.
func ChangesBy(c wrapper.Carrier, o Checked) []Change {
	out := touching(policyGeneratorRows, c, o)
	for i := range out {
		out[i].Field = c.Entry + "." + out[i].Field
	}
	return out
}

// hasName reports whether the name of the object means something, and a host changes it: that of a CR is fixed, and others
// name a machine.
func (o Checked) hasName() bool { return !o.Pods && o.Wrapper == (finding.Object{}) }

// isOutside reports whether the object gets another namespace than the one that it has.
func (o Checked) isOutside(namespace string) bool {
	return namespace != "" && o.Namespace != "" && namespace != o.Namespace && o.hasName()
}

// reads reports whether an annotation for all objects means something on the object.
func (o Checked) reads(annotations map[string]any) bool {
	if o.Machine || o.Pods || o.Wrapper != (finding.Object{}) {
		return false
	}
	for key := range annotations {
		if hyperconverged.ReadsAnnotation(key) {
			return true
		}
	}
	return false
}

// applied returns the object that a host applies.
func (o Checked) applied() finding.Object {
	if o.Wrapper != (finding.Object{}) {
		return o.Wrapper
	}
	return o.Object
}

// isNamedIn reports whether the text of a patch names the kind of the object. What a host fills in may be any.
func (o Checked) isNamedIn(text string) bool {
	ok, err := regexp.MatchString(`\b`+regexp.QuoteMeta(o.applied().Kind)+`\b|kind["']?\s*:\s*["']?(?:\{\{|\$\{)`, text)
	return ok || err != nil
}

// overrides are the fields that both an Application (argo-cd pkg/apis/application/v1alpha1/types.go:
// ApplicationSourceKustomize) and Flux add to a kustomization.
type overrides struct {
	Patches    []override `json:"patches"`
	Components []string   `json:"components"`
	NamePrefix string     `json:"namePrefix"`
	NameSuffix string     `json:"nameSuffix"`
	Images     []image    `json:"images"`
}

// patch reports whether a patch may be for the object.
func (o overrides) patch(of Checked) bool {
	return slices.ContainsFunc(o.Patches, func(p override) bool {
		if p.Target == nil { // it names its object; a file that nobody has read may name any
			return p.Path != "" || of.isNamedIn(p.Patch)
		}
		return p.Target.selects(of)
	})
}

// replace reports whether an image of the object is one of those that are replaced.
func (o overrides) replace(of Checked) bool {
	return slices.ContainsFunc(o.Images, func(i image) bool {
		return slices.ContainsFunc(of.Images, func(ref string) bool { return isTemplate(string(i)) || nameOfImage(ref) == string(i) })
	})
}

// image is the name of an image that kustomize replaces.
type image string

// UnmarshalJSON implements json.Unmarshaler. Argo CD writes name=other:tag or name:tag, and Flux an object with the name.
func (i *image) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		name, _, _ := strings.Cut(text, "=")
		*i = image(nameOfImage(name))
		return nil
	}
	var named struct {
		Name string `json:"name"`
	}
	err := json.Unmarshal(data, &named)
	*i = image(named.Name)
	return err
}

// nameOfImage returns a reference without its tag and its digest (kustomize api/internal/image: Split).
func nameOfImage(ref string) string {
	ref, _, _ = strings.Cut(ref, "@")
	if at := strings.LastIndex(ref, ":"); at > strings.LastIndex(ref, "/") {
		ref = ref[:at]
	}
	return ref
}

// override is a patch.
type override struct {
	// Path is a file with the patch, which only Argo CD reads.
	Path   string  `json:"path"`
	Patch  string  `json:"patch"`
	Target *target `json:"target"`
}

// jsonPatch is a patch whose operations are a list.
type jsonPatch struct {
	Target target `json:"target"`
}

// target says which objects a patch is for. Nothing is known of labels and annotations, which may
// select any.
type target struct {
	Group     string `json:"group"`
	Version   string `json:"version"`
	Kind      string `json:"kind"`
	Name      string `json:"name"`
	Namespace string `json:"namespace"`
}

// selects reports whether a target may select an object. Each of its texts is an expression for the whole
// of a value (kustomize api/types/selector.go: NewSelectorRegex), and an object without a namespace
// is in "default" (kyaml resid/resid.go: EffectiveNamespace). In a kustomization the object may have a shorter name and any
// namespace when the patch comes. What a host fills in may be any text.
func (t target) selects(of Checked) bool {
	o := of.applied()
	group, version, _ := strings.Cut(o.APIVersion, "/")
	if version == "" {
		group, version = "", group
	}
	namespace := t.Namespace
	if of.built {
		namespace = ""
	}
	for _, one := range [][2]string{{t.Group, group}, {t.Version, version}, {t.Kind, o.Kind}, {namespace, cmp.Or(o.Namespace, "default")}} {
		if !matches("^(?:"+one[0]+")$", one[1]) && one[0] != "" {
			return false
		}
	}
	return t.Name == "" || matches("^(?:"+t.Name+")$", o.Name) || of.built && matches(strings.Trim(t.Name, "^$"), o.Name)
}

// matches reports whether an expression may match a text: one that is not valid, or that a host fills in, may match any.
func matches(expression, text string) bool {
	ok, err := regexp.MatchString(expression, text)
	return ok || err != nil || isTemplate(expression) || strings.Contains(expression, "${")
}

// stated says that a field has a value that is not empty.
type stated bool

// UnmarshalJSON implements json.Unmarshaler.
func (s *stated) UnmarshalJSON(data []byte) error {
	var value any
	err := k8syaml.Unmarshal(data, &value)
	*s = stated(!isEmpty(value))
	return err
}

// isEmpty reports whether a value has nothing but empty values.
func isEmpty(value any) bool {
	switch value := value.(type) {
	case map[string]any:
		for _, below := range value {
			if !isEmpty(below) {
				return false
			}
		}
		return true
	case []any:
		return len(value) == 0
	default:
		return value == nil || value == "" || value == false
	}
}
