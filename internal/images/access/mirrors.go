package access

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/engine/join"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/mirror"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// Mirrors says which mirrors serve the images of a run.
type Mirrors struct {
	// nodes is the policy for what nodes pull, and pods that for what pods of CDI pull, which follow no mirror sets.
	nodes, pods mirror.Policy
}

// PulledByCDI reports whether pods of CDI pull what a registry source names, and not the nodes.
func PulledByCDI(source cdiv1.DataVolumeSourceRegistry) bool {
	return source.URL != nil && (source.PullMethod == nil || *source.PullMethod != cdiv1.RegistryPullNode)
}

// of returns the policy for an image.
func (m Mirrors) of(byPods bool) mirror.Policy {
	if byPods {
		return m.pods
	}
	return m.nodes
}

// differFor reports whether nodes and pods look for an image in other places.
func (m Mirrors) differFor(ref imageref.Reference) bool {
	name := ref.Host() + "/" + ref.Repository()
	return !slices.Equal(m.nodes.Places(name, ref.Pinned()), m.pods.Places(name, ref.Pinned()))
}

// ReadMirrors reads the mirror sets among the items, and lays spec.registry.mirrors over
// them. A mistake in one is an error: otherwise goldenarch could query a registry that the
// policy forbids.
func ReadMirrors(items Objects, spec *v1alpha1.GoldenImagesSpec) (Mirrors, finding.List) {
	var rules []mirror.Rule
	var found finding.List
	for _, o := range items {
		if !mirror.Is(o.At.APIVersion, o.At.Kind) {
			continue
		}
		more, list := mirrorRules(o)
		rules, found = append(rules, more...), append(found, list...)
	}
	stated, sets := mirror.Translate(rulesOf(spec.Registry.Mirrors)...), mirror.Translate(rules...)
	return Mirrors{nodes: stated.Over(sets), pods: stated.Over(sets.OnlySources())}, found
}

// rulesOf returns the mirrors of the configuration as rules of a policy.
func rulesOf(stated []v1alpha1.RegistryMirrors) []mirror.Rule {
	rules := make([]mirror.Rule, len(stated))
	for i, m := range stated {
		rules[i] = mirror.Rule{Source: m.Source, Mirrors: m.Mirrors, NeverContactSource: m.NeverContactSource}
	}
	return rules
}

func mirrorRules(o object.Object) ([]mirror.Rule, finding.List) {
	if twice := object.DuplicateKeys(o); twice.Failed() {
		return nil, twice
	}
	data, err := o.JSON()
	if err != nil {
		return nil, finding.List{o.Unreadable(err)}
	}
	rules, faults := mirror.Parse(o.At.APIVersion, o.At.Kind, data)
	var found finding.List
	for _, f := range faults {
		found = append(found, finding.Finding{
			ID: finding.MirrorInvalid, Severity: finding.Error, Field: f.Path,
			Text: f.Text, Do: "correct the mirror set: it decides which registries goldenarch may contact",
		})
	}
	return rules, o.Locate(found)
}

// notForCDI reports templates whose image CDI does not pull from the mirrors of the mirror sets. A pod of CDI pulls from
// the registry that the url names. Only what a node pulls goes through the node's mirrors.
func (m Mirrors) notForCDI(s join.Joined) finding.List {
	var names []string
	for _, q := range s.Questions {
		source := q.Template.Registry()
		if q.Image != (imageref.Reference{}) && source != nil && PulledByCDI(*source) && m.differFor(q.Image) {
			names = append(names, fmt.Sprintf("%q", q.Template.Name()))
		}
	}
	if len(names) == 0 {
		return nil
	}
	return s.Locate(finding.List{{
		ID: finding.MirrorNotForCDI, Severity: finding.Info,
		Text: "CDI imports the images of " + strings.Join(names, ", ") + " in pods, which pull from the registry in the url, so goldenarch queries that, " +
			"and not the mirrors of the mirror sets",
		Do: "set pullMethod: node where the nodes reach only the mirrors",
	}})
}

// storageImport is the part of a CR that concerns registries (hco api/v1, api/v1beta1:
// StorageImportConfig).
type storageImport struct {
	InsecureRegistries []string `json:"insecureRegistries"`
}

// insecureRegistries returns the registries that the CRs call insecure. CDI matches each
// entry exactly, so an entry without a port applies only to port 443.
func insecureRegistries(list []join.Joined) []string {
	var out []string
	for _, s := range list {
		for _, host := range insecureRegistriesOf(s) {
			switch {
			case host == "":
			case strings.LastIndexByte(host, ':') > strings.LastIndexByte(host, ']'):
				out = append(out, host)
			default:
				out = append(out, host+":443")
			}
		}
	}
	return out
}

// insecureRegistriesOf returns the list of one CR. Each API version has its own field for
// it.
func insecureRegistriesOf(s join.Joined) []string {
	var spec struct {
		Spec struct {
			StorageImport storageImport `json:"storageImport"`
			Storage       struct {
				StorageImport storageImport `json:"storageImport"`
			} `json:"storage"`
		} `json:"spec"`
	}
	if err := json.Unmarshal(s.Data, &spec); err != nil {
		return nil // the schema check reports it
	}
	if s.CR.Version == hyperconverged.V1 {
		return spec.Spec.Storage.StorageImport.InsecureRegistries
	}
	return spec.Spec.StorageImport.InsecureRegistries
}
