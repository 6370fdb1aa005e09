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
	"github.com/goldenarch/goldenarch/internal/pattern"
)

// Question is what goldenarch must find out about one template of the CR: the platforms of
// the image that it imports.
type Question struct {
	Template hyperconverged.Classified
	// Image is the image to query; the zero Reference if there is nothing to query.
	Image imageref.Reference
	// Text is how the CR or an ImageStream names the image; "" if neither does.
	Text string
	// Invalid is why Text is not a reference; nil if it is.
	Invalid error
	// Stated has the architectures that a person states instead; nil if nobody does.
	Stated *Stated
	// Problem says why there is neither an image nor a statement.
	Problem *finding.Finding
	// Legacy says that an ImageStream keeps only one architecture of the image.
	Legacy bool
}

// filledIn matches what something fills in before the cluster gets a CR: Flux, envsubst or a pipeline.
var filledIn = pattern.Of(`\$\{[^}]*\}`)

// InvalidReference reports that the text of the question is not a reference. path is that of the template.
func (q Question) InvalidReference(path string) finding.Finding {
	out := finding.Finding{
		ID: finding.ReferenceInvalid, Severity: finding.Error, Field: path, Current: q.Text, Text: q.Invalid.Error(), Do: "correct the url",
	}
	if variable := filledIn().FindString(q.Text); variable != "" {
		out.Text = fmt.Sprintf("image reference %q has the variable %s, so goldenarch does not know the image", q.Text, variable)
		out.Do = "write its value; or, to check what fills it in, pass its result to goldenarch check -"
	}
	return out
}

// Stated is a set of architectures that a person states.
type Stated struct {
	Architectures arch.Set
	ByClaim       bool // from the template's annotation, not from an override
}

// Answers maps the image of a question to its answer.
type Answers map[imageref.Reference]Answer

// Answer is what is known about an image.
type Answer struct {
	Platforms arch.Platforms
	// Digest is that of the manifest or index, "" if nobody asked for it.
	Digest string
	// Single says that it is a manifest, and no index.
	Single bool
	Err    error
	// Absent are the architectures that the index lists and that the registry does not have,
	// and AbsentError is what it answered for them; nil if a lock says so.
	Absent      arch.Set
	AbsentError error
	// Lock says how to add the image to the lock, if Err is that the lock lacks it; ""
	// otherwise.
	Lock string
	// Hint is the fix at the end of Err; "" if Err has none.
	Hint string
	// ForOneRun begins the fix: it says how to state what the image has for one run; "" for none.
	ForOneRun string
	// Host is the host that gave no usable answer to any question; "" if Err is about the
	// image alone.
	Host string
}

// Questions returns what goldenarch must find out about the CR's templates. It skips
// templates that a person disabled, and templates that HCO drops or that have no source, which
// hyperconverged.Refused reports. Without workload architectures there is nothing to
// decide, so it returns nothing.
func Questions(s Known) []Question {
	if len(s.Cluster.Workload) == 0 {
		return nil
	}
	return QuestionsOf(s)
}

// QuestionsOf returns the questions of all templates, whatever the cluster is.
func QuestionsOf(s Known) []Question {
	var out []Question
	for _, c := range hyperconverged.Classify(s.CR, s.Table) {
		if q, ok := questionOf(s, c); ok && c.Class != hyperconverged.ClassDropped {
			out = append(out, q)
		}
	}
	return out
}

// QuestionOf returns the question of one template of the CR, also of one that HCO drops, and
// false if it has none.
func QuestionOf(s Known, name string) (Question, bool) {
	for _, c := range hyperconverged.Classify(s.CR, s.Table) {
		if q, ok := questionOf(s, c); ok && c.Name() == name {
			return q, true
		}
	}
	return Question{}, false
}

func questionOf(s Known, c hyperconverged.Classified) (Question, bool) {
	if c.Index < 0 || c.Class == hyperconverged.ClassDisabled || c.Source() == nil {
		return Question{}, false
	}
	q := ofSource(s, c)
	if o := OverrideFor(s.Spec.Overrides, c.Name()); o != nil && !s.Spec.Images.ByFlag(q.Image) {
		q = Question{Template: c, Stated: &Stated{Architectures: arch.Named(o.Architectures...)}}
	}
	return q, true
}

// ofSource returns the question that the source of a template asks.
func ofSource(s Known, c hyperconverged.Classified) Question {
	q := Question{Template: c}
	registry := c.Registry()
	switch {
	case registry == nil:
		q.useDeclared(s, c)
	case filled(registry.URL) == filled(registry.ImageStream):
		q.problem(s.CR, finding.ReferenceInvalid, "source.registry needs exactly one of url and imageStream: CDI refuses any other", "set one of them")
	case filled(registry.URL) && archive(*registry.URL):
		q.useDeclared(s, c)
	case filled(registry.URL):
		q.setImage(s, *registry.URL)
	default:
		q.followStream(s, *registry.ImageStream)
	}
	return q
}

// useDeclared trusts the template's declared architectures if goldenarch cannot query a
// registry.
func (q *Question) useDeclared(s Known, c hyperconverged.Classified) {
	claim, _ := c.Declared()
	if meant, _ := claim.Meant(); len(meant) > 0 && !c.HasWrittenClaim() {
		allow := arch.Named(s.Spec.Allow...) // none allows all
		if barred := meant.Minus(allow); len(allow) > 0 && len(barred) > 0 {
			// Removing them from the declaration would lose information that exists nowhere
			// else.
			q.problem(s.CR, finding.SourceNotQueried, fmt.Sprintf(
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
	q.problem(s.CR, finding.SourceNotQueried,
		fmt.Sprintf("goldenarch cannot find out which architectures a source of kind %q has", kind), declare(c.Name()))
}

func (q *Question) followStream(s Known, name string) {
	image, err := s.Streams.Follow(name, streamNamespaces(s, q.Template)...)
	if err != nil {
		q.problem(s.CR, finding.NoImageStream, err.Error(), "add the ImageStream to the input, or "+declare(q.Template.Name()))
		return
	}
	q.Legacy = image.Legacy
	q.setImage(s, image.Reference)
}

// setImage reads how the CR or an ImageStream names the image.
func (q *Question) setImage(s Known, text string) {
	q.Text = text
	q.Image, q.Invalid = s.References.Parse(text)
}

func (q *Question) problem(cr *hyperconverged.CR, id finding.ID, text, do string) {
	q.Problem = &finding.Finding{ID: id, Field: cr.TemplatePath(q.Template.Index), Text: text, Do: do}
}

// streamNamespaces returns the possible namespaces of the template's DataImportCron, in
// which CDI looks for its ImageStream. A user's own table does not say which of the two
// golden images namespaces applies.
func streamNamespaces(s Known, c hyperconverged.Classified) []string {
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

// OverrideFor returns the override for a template by its name; nil if there is none.
func OverrideFor(overrides []v1alpha1.Override, template string) *v1alpha1.Override {
	for i := range overrides {
		if template != "" && overrides[i].Template == template {
			return &overrides[i]
		}
	}
	return nil
}

// declare says how a person states the architectures of a template.
func declare(template string) string {
	return fmt.Sprintf("state its architectures: spec.overrides: [{template: %s, architectures: [amd64]}]", template)
}

func filled(s *string) bool { return s != nil && *s != "" }

func archive(url string) bool { return strings.HasPrefix(strings.ToLower(url), "oci-archive:") }
