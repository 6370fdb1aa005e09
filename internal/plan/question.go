package plan

import (
	"fmt"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// Question is what must be known of one template of the CR: the platforms of
// the image it imports.
type Question struct {
	Template hyperconverged.Classified
	// Image is the image to ask for; the zero Reference if there is nothing to ask.
	Image imageref.Reference
	// Text is how the CR or an ImageStream names the image; "" if there is none.
	Text string
	// Invalid is why Text is not a reference; nil if it is.
	Invalid error
	// Stated is what a person said instead, nil if nobody did.
	Stated *Stated
	// Problem says why there is neither.
	Problem *finding.Finding
	// Legacy says that an ImageStream keeps one architecture of the image only.
	Legacy bool
}

// Stated is architectures that a person vouches for.
type Stated struct {
	Architectures arch.Set
	ByClaim       bool // said by the template's claim, not by an override
}

// Answers maps the image of a question to what was found out.
type Answers map[imageref.Reference]Answer

// Answer is what was found out about an image.
type Answer struct {
	Platforms arch.Platforms
	Err       error
	// Lock says how the image gets into the lock, where Err is that it is not
	// there; else "".
	Lock string
	// Hint is the fix that Err ends with; "" if it has none.
	Hint string
}

// Questions returns what must be known of the CR's templates. A template that
// a person disabled is not asked for; of one without a
// source hyperconverged.Refused has told. Without workload
// architectures there is nothing to decide, and nothing is asked.
func Questions(s Subject) []Question {
	if len(s.Cluster.Workload) == 0 {
		return nil
	}
	return QuestionsOf(s)
}

// QuestionsOf returns the same whatever the cluster is.
func QuestionsOf(s Subject) []Question {
	var out []Question
	for _, c := range hyperconverged.Classify(s.CR, s.Table) {
		if c.Index < 0 || c.Class == hyperconverged.ClassDisabled || c.Source() == nil {
			continue
		}
		out = append(out, question(s, c))
	}
	return out
}

func question(s Subject, c hyperconverged.Classified) Question {
	q := Question{Template: c}
	if o := overrideFor(s.Spec.Overrides, c.Name()); o != nil {
		q.Stated = &Stated{Architectures: arch.Named(o.Architectures...)}
		return q
	}
	registry := c.Registry()
	switch {
	case registry == nil:
		q.useDeclared(s.CR, c, arch.Named(s.Spec.Allow...))
	case filled(registry.URL) == filled(registry.ImageStream):
		q.problem(s.CR, finding.ReferenceInvalid, "source.registry needs exactly one of url and imageStream: CDI refuses any other", "set one of them")
	case filled(registry.URL) && archive(*registry.URL):
		q.useDeclared(s.CR, c, arch.Named(s.Spec.Allow...))
	case filled(registry.URL):
		q.setImage(s, *registry.URL)
	default:
		q.followStream(s, *registry.ImageStream)
	}
	return q
}

// useDeclared believes the template's claim, where no registry can be asked.
func (q *Question) useDeclared(cr *hyperconverged.CR, c hyperconverged.Classified, allow arch.Set) {
	claim, _ := c.Claim()
	if meant, _ := claim.Meant(); len(meant) > 0 && !c.HasWrittenClaim() {
		if barred := barredBy(allow, meant); len(barred) > 0 {
			// Taken out of the claim, what is said nowhere else would be lost.
			q.problem(cr, finding.SourceNotQueried, fmt.Sprintf(
				"only the declared architectures %q describe the image, and spec.allow excludes %s", claim, barred), declare(c.Name()))
			return
		}
		q.Stated = &Stated{Architectures: meant, ByClaim: true}
		return
	}
	kind := hyperconverged.SourceKind(c.Source())
	if kind == "registry" {
		kind = "oci-archive"
	}
	q.problem(cr, finding.SourceNotQueried,
		fmt.Sprintf("goldenarch cannot find out which architectures a source of kind %q has", kind), declare(c.Name()))
}

func (q *Question) followStream(s Subject, name string) {
	image, err := s.Streams.Follow(name, streamNamespaces(s, q.Template)...)
	if err != nil {
		q.problem(s.CR, finding.NoImageStream, err.Error(), "add the ImageStream to the input, or "+declare(q.Template.Name()))
		return
	}
	q.Legacy = image.Legacy
	q.setImage(s, image.Reference)
}

// setImage reads how the CR or an ImageStream names the image.
func (q *Question) setImage(s Subject, text string) {
	q.Text = text
	q.Image, q.Invalid = s.References.Parse(text)
}

func (q *Question) problem(cr *hyperconverged.CR, id finding.ID, text, do string) {
	q.Problem = &finding.Finding{ID: id, Field: cr.TemplatePath(q.Template.Index), Text: text, Do: do}
}

// streamNamespaces returns where the template's DataImportCron is, and so where
// CDI looks for its ImageStream. A table of a user's own does not say which of
// the two golden images namespaces it is.
func streamNamespaces(s Subject, c hyperconverged.Classified) []string {
	switch {
	case c.Metadata.Namespace != "":
		return []string{c.Metadata.Namespace}
	case s.Table.Name == "upstream":
		return []string{expansion.UpstreamNamespace}
	case s.Table.Name == "openshift":
		return []string{expansion.OpenShiftNamespace}
	default:
		return []string{expansion.UpstreamNamespace, expansion.OpenShiftNamespace}
	}
}

func overrideFor(overrides []v1alpha1.Override, template string) *v1alpha1.Override {
	for i := range overrides {
		if overrides[i].Template != "" && overrides[i].Template == template {
			return &overrides[i]
		}
	}
	return nil
}

// declare says how a person states the architectures of a template.
func declare(template string) string {
	return fmt.Sprintf("state its architectures: spec.overrides: [{template: %s, architectures: [amd64]}]", template)
}

// barredBy returns the architectures that spec.allow bars; an empty one allows
// all.
func barredBy(allow, list arch.Set) arch.Set {
	if len(allow) == 0 {
		return nil
	}
	return list.Minus(allow)
}

func filled(s *string) bool { return s != nil && *s != "" }

func archive(url string) bool { return strings.HasPrefix(strings.ToLower(url), "oci-archive:") }
