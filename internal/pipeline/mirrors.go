package pipeline

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/mirror"
	"github.com/goldenarch/goldenarch/internal/images/registry"
)

// mirrors is where the images of a run can be had.
type mirrors struct {
	policy mirror.Policy
	// cluster is what the mirror sets alone say: the nodes know that as well.
	cluster mirror.Policy
}

// readMirrors reads the mirror sets among the items, and lays spec.registry.mirrors
// over them. What is wrong with one is an error, or registries might be asked
// that must not be.
func readMirrors(items held, spec *v1alpha1.GoldenImagesSpec) (mirrors, finding.List) {
	var rules []mirror.Rule
	var found finding.List
	for _, o := range items {
		if !mirror.Is(o.at.APIVersion, o.at.Kind) {
			continue
		}
		more, list := o.mirrorRules()
		rules, found = append(rules, more...), append(found, list...)
	}
	m := mirrors{cluster: mirror.Translate(rules...)}
	m.policy = mirror.Translate(rulesOf(spec.Registry.Mirrors)...).Over(m.cluster)
	return m, found
}

// rulesOf returns the mirrors of the configuration as rules of a policy.
func rulesOf(stated []v1alpha1.RegistryMirrors) []mirror.Rule {
	rules := make([]mirror.Rule, len(stated))
	for i, m := range stated {
		rules[i] = mirror.Rule{Source: m.Source, Mirrors: m.Mirrors, NeverContactSource: m.NeverContactSource}
	}
	return rules
}

func (o object) mirrorRules() ([]mirror.Rule, finding.List) {
	if twice := duplicateKeys(o); twice.Failed() {
		return nil, twice
	}
	data, err := o.json()
	if err != nil {
		return nil, finding.List{o.unreadable(err)}
	}
	rules, err := mirror.Parse(o.at.APIVersion, o.at.Kind, data)
	var faults mirror.MalformedError
	errors.As(err, &faults)
	var found finding.List
	for _, f := range faults {
		found = append(found, finding.Finding{
			ID: finding.MirrorInvalid, Severity: finding.Error, Field: f.Path,
			Text: f.Text, Do: "correct it: without it nobody knows which registries may be asked",
		})
	}
	return rules, o.own(found)
}

// notForCDI tells of templates whose image goldenarch asks mirrors for and CDI does
// not: a pod of CDI pulls from the registry that the url names. Only what a node
// pulls goes through the node's mirrors.
func (m mirrors) notForCDI(s subject) finding.List {
	var names []string
	for _, q := range s.questions {
		ref, err := registry.ParseReference(q.Reference)
		source := q.Template.Registry()
		if err != nil || source == nil || source.PullMethod != nil && *source.PullMethod == cdiv1.RegistryPullNode {
			continue
		}
		if len(m.cluster.Places(ref.Host()+"/"+ref.Repository(), ref.Pinned())) > 1 {
			names = append(names, fmt.Sprintf("%q", q.Template.Name()))
		}
	}
	if len(names) == 0 {
		return nil
	}
	return s.own(finding.List{{
		ID: finding.MirrorNotForCDI, Severity: finding.Info,
		Text: "goldenarch asks the mirrors of the mirror sets for the images of " + strings.Join(names, ", ") +
			"; CDI imports them in pods, which ask the registry of the url itself",
		Do: "set pullMethod: node, or name the mirror in the url",
	}})
}

// unread tells of the mirrors that did not answer although an image was had
// elsewhere, once for each registry.
func (g *gathered) unread() finding.List {
	var found finding.List
	hosts := map[string]int{} // host -> its finding
	images := map[string]int{}
	for _, ref := range slices.SortedFunc(maps.Keys(g.passed), byText) {
		for _, passed := range g.passed[ref] {
			if errors.Is(passed, registry.ErrDiffers) {
				found = append(found, finding.Finding{
					ID: finding.MirrorDiffers, Severity: finding.Warning, Text: fmt.Sprintf("image %q: %v", ref, passed),
					Do: "mirror the image again, with all its platforms and unchanged",
				})
				continue
			}
			host, _, _ := strings.Cut(passed.Mirror, "/")
			if images[host]++; images[host] == 1 {
				hosts[host] = len(found)
				found = append(found, finding.Finding{
					ID: finding.MirrorUnread, Severity: finding.Info, Text: fmt.Sprintf("image %q was had elsewhere: %v", ref, passed),
					Do: "a cluster that has only this mirror cannot import it: push it there",
				})
			}
		}
	}
	for host, at := range hosts {
		if more := images[host] - 1; more > 0 {
			found[at].Text += fmt.Sprintf(" (and so for %d more)", more)
		}
	}
	return found
}

// known returns the images that the predefined templates of the CRs import.
func known(list []subject) []registry.Reference {
	var out []registry.Reference
	for _, s := range list {
		for _, p := range s.Table.Templates {
			if source := p.Registry(); source != nil {
				if ref, err := registry.ParseReference(pointed(source.URL)); err == nil && !slices.Contains(out, ref) {
					out = append(out, ref)
				}
			}
		}
	}
	return out
}

// unguessed adds to the error of a registry that cannot be reached why another
// registry's answer is not taken instead: it looks like a mirror of a known image,
// which may be another build or have fewer platforms.
func (g *gathered) unguessed(ref registry.Reference, err error) error {
	if !errors.Is(err, registry.ErrUnreachable) {
		return err
	}
	var why []string
	if host, _, _ := strings.Cut(ref.Host(), ":"); strings.HasSuffix(host, ".svc") || strings.HasSuffix(host, ".svc.cluster.local") {
		why = append(why, "the registry is reached from inside the cluster only")
	}
	for _, k := range g.known {
		if ref.Host() != k.Host() && strings.HasSuffix("/"+ref.Repository(), "/"+k.Repository()) {
			why = append(why, fmt.Sprintf("this looks like a mirror of %s/%s", k.Host(), k.Repository()))
			break
		}
	}
	if len(why) == 0 {
		return err
	}
	return unguessed{err, strings.Join(why, ", and ")}
}

// unguessed is an error, and why its image's platforms are not guessed.
type unguessed struct {
	error
	why string
}

func (u unguessed) Error() string {
	return u.error.Error() + "; " + u.why + ": its platforms are not guessed; declare an override, keep a lock, or make it reachable"
}

func (u unguessed) Unwrap() error { return u.error }
