package finding

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/console"
)

// Severity says what a finding means for the run.
type Severity string

// Error stops the run: nothing is written. Warning and Info do not.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Info    Severity = "info"
)

// rank orders severities. The worst has the lowest rank.
func (s Severity) rank() int {
	return slices.Index([]Severity{Error, Warning, Info}, s)
}

// AtLeast reports whether a severity is as bad as another one, or worse.
func (s Severity) AtLeast(other Severity) bool { return s.rank() <= other.rank() }

// Object identifies the item of the input that a finding is about.
type Object struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace,omitempty"`
	Name       string `json:"name"`
	File       string `json:"file,omitempty"` // path as the input gives it; "" if unknown
	Index      int    `json:"-"`              // place of the item in its file, from 0
	// Cluster names the cluster of a repository that the item is for; "" where the input
	// is for one cluster. Overlays of one base have the same files.
	Cluster string `json:"cluster,omitempty"`
}

// String returns "Kind/name", the form of the stderr lines.
func (o Object) String() string {
	if o.Name == "" {
		return console.Escape(o.Kind)
	}
	return console.Escape(o.Kind + "/" + o.Name)
}

// Group returns the API group, "" for the core group.
func (o Object) Group() string {
	group, _, grouped := strings.Cut(o.APIVersion, "/")
	if !grouped {
		return ""
	}
	return group
}

// Finding is one message to the user.
type Finding struct {
	ID       ID
	Severity Severity
	Object   Object
	Field    string // path in the object: spec.dataImportCronTemplates[2]
	Cause    string // path of the field that causes the problem, whose line to show; "" for Field
	Line     int    // line in the file, from 1; 0 if unknown
	File     string // the file with the line, if it is not Object.File but a patch of a build
	Template string // name of the template; "" if the finding is about no single one
	Current  any    // the value in the file; nil to show none
	Proposed any    // the value to write; nil to propose none
	Text     string // the problem and why it matters
	Do       string // the fix; "" if there is nothing to do
	Run      string // the command of Do, which has it; "" if Do has none
	// Changes are what Run, or the fix by hand, changes in the object; nil if that is not known.
	Changes []Change
	// Alike names what many findings may be about, where one is enough: "images at quay.io".
	// It is "" for a finding that always stays.
	Alike string
	// Unchanged has the problem, the fix and the severity for a run that only checks. It is
	// empty unless Text says what goldenarch changed, or a check fails where a run goes on.
	Unchanged Advice
	// Final says that the run stopped at this error, so that no exception lowers it.
	Final bool
}

// Change is a field that a fix changes. Path is where it is in the object, Before and After are its values as JSON; ""
// where the field is not set.
type Change struct {
	Path   string `json:"path"`
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
}

// Advice is a problem and its fix, and how bad the problem is. What is empty is as in the
// finding.
type Advice struct {
	Text, Do string
	Severity Severity
}

// String returns the finding as one line, without a newline:
//
//	warning GA104 HyperConverged/kubevirt-hyperconverged spec.x[2] (hco.yaml:31): the problem. The fix
func (f Finding) String() string { return f.line(f.where()...) }

// where returns what the finding is about, without what is not known.
func (f Finding) where() []string {
	return withoutEmpty(f.Object.String(), console.Escape(f.Field), inParentheses(console.Escape(f.at())))
}

// line returns a line with what the finding is about.
func (f Finding) line(where ...string) string {
	return strings.Join(append([]string{string(f.Severity) + " " + string(f.ID.Public())}, where...), " ") + ": " + f.Message()
}

func withoutEmpty(texts ...string) []string {
	return slices.DeleteFunc(texts, func(text string) bool { return text == "" })
}

func inParentheses(text string) string {
	if text == "" {
		return ""
	}
	return "(" + text + ")"
}

// Message returns the problem and the fix, in one line. It ends without a full
// stop, so that a command at its end can be copied.
func (f Finding) Message() string {
	s := f.Text
	if f.Template != "" && !names(s, f.Template) {
		s = fmt.Sprintf("template %q: %s", f.Template, s)
	}
	if f.Do != "" {
		end := "."
		if strings.HasSuffix(s, "?") || strings.HasSuffix(s, ".") {
			end = ""
		}
		s += end + " " + capitalized(f.Do)
	}
	return console.SafeLine(s)
}

// WithCommand returns the finding with another command in the place of the one that it advises.
func (f Finding) WithCommand(command string) Finding {
	f.Do, f.Run = strings.Replace(f.Do, f.Run, command, 1), command
	return f
}

// names reports whether a text names a template. A name can also be a part of the name of
// an image.
func names(text, template string) bool {
	return strings.Contains(text, strconv.Quote(template)) || strings.Contains(text, "template "+template) || strings.Contains(text, "templates "+template)
}

// capitalized returns a sentence with its first letter in upper case. A name, a command
// or a path keeps its case.
func capitalized(s string) string {
	first, _, _ := strings.Cut(s, " ")
	if first == "" || first == "goldenarch" || strings.ContainsFunc(strings.TrimRight(first, ",:;"), func(r rune) bool { return r < 'a' || r > 'z' }) {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// PlaceFile returns the file to show; "" if it is unknown.
func (f Finding) PlaceFile() string { return cmp.Or(f.File, f.Object.File) }

// at returns the file, the line and the cluster of a finding; "" if it has none.
func (f Finding) at() string {
	var parts []string
	switch file := f.PlaceFile(); {
	case file == "":
	case f.Line == 0:
		parts = append(parts, file)
	default:
		parts = append(parts, fmt.Sprintf("%s:%d", file, f.Line))
	}
	if of := f.Object.Cluster; of != "" && f.PlaceFile() != of && !strings.HasPrefix(f.PlaceFile(), of+"/") {
		parts = append(parts, "in "+f.Object.Cluster)
	}
	return strings.Join(parts, " ")
}

// List is the findings of a run, in the order in which the run made them.
type List []Finding

// Failed reports whether the run must write nothing and exit with 1.
func (l List) Failed() bool {
	return slices.ContainsFunc(l, func(f Finding) bool { return f.Severity == Error })
}

// Has reports whether a finding has the id.
func (l List) Has(id ID) bool {
	return slices.ContainsFunc(l, func(f Finding) bool { return f.ID == id })
}

// Sorted returns the findings in the order in which users read them: the worst first,
// then as the run made them. It removes duplicates.
func (l List) Sorted() List {
	l = l.withoutAlike()
	out := make(List, 0, len(l))
	reported := map[saying]List{} // there may be a finding for each of 100,000 objects
	for _, f := range l {
		k := f.saying()
		if !slices.ContainsFunc(reported[k], func(other Finding) bool { return reflect.DeepEqual(other, f) }) {
			reported[k] = append(reported[k], f)
			out = append(out, f)
		}
	}
	slices.SortStableFunc(out, func(a, b Finding) int {
		return cmp.Compare(a.rank(), b.rank())
	})
	return out
}

// saying is what a finding says of what, wherever its line is.
type saying struct {
	id              ID
	severity        Severity
	object          Object
	field, text, do string
}

func (f Finding) saying() saying { return saying{f.ID, f.Severity, f.Object, f.Field, f.Text, f.Do} }

// rank says how early users read a finding: what an old kustomize removes is the cause of the others.
func (f Finding) rank() int {
	if f.ID == KustomizeOld {
		return -1
	}
	return f.Severity.rank()
}

// maxAlike is how many findings about one object may be alike. Of more, the user sees the
// first one and the number of the others.
const maxAlike = 10

// withoutAlike returns the findings with one for each group of too many that are alike.
func (l List) withoutAlike() List {
	type key struct {
		id     ID
		object Object
		alike  string
	}
	counts := map[key]int{}
	for _, f := range l {
		if f.Alike != "" {
			counts[key{f.ID, f.Object, f.Alike}]++
		}
	}
	if len(counts) == 0 {
		return l
	}
	out := make(List, 0, len(l))
	for _, f := range l {
		k := key{f.ID, f.Object, f.Alike}
		switch n := counts[k]; {
		case f.Alike == "" || n > 0 && n <= maxAlike:
		case n == 0:
			continue // the first one stands for it
		default:
			f.Text += fmt.Sprintf(". The same is true of %d more %s", n-1, f.Alike)
			counts[k] = 0
		}
		f.Alike = ""
		out = append(out, f)
	}
	return out
}

// Unchanged returns the findings of a run that changes nothing: they say what is missing,
// and not what goldenarch did.
func (l List) Unchanged() List {
	out := slices.Clone(l)
	for i, f := range out {
		if f.Unchanged.Text != "" {
			out[i].Text, out[i].Do = f.Unchanged.Text, f.Unchanged.Do
		}
		out[i].Severity = cmp.Or(f.Unchanged.Severity, f.Severity)
		out[i].Unchanged = Advice{}
	}
	return out
}

// String returns one line for each finding as users see it, each with a newline at its end. Those that say
// the same share a line. It returns "" for an empty list.
func (l List) String() string {
	var b strings.Builder
	for _, e := range l.Stories().Grouped() {
		fmt.Fprintln(&b, e)
	}
	return b.String()
}

// Count returns how many findings have the given severity.
func (l List) Count(s Severity) int {
	n := 0
	for _, f := range l {
		if f.Severity == s {
			n++
		}
	}
	return n
}

// Collector collects findings, in the order in which a run makes them.
type Collector struct{ List }

// Add adds findings. It reports whether none of them is an error: those that the collector
// has already do not count.
func (c *Collector) Add(more ...Finding) bool {
	c.List = append(c.List, more...)
	return !List(more).Failed()
}

// AddDistinct adds the findings that the collector does not have yet: what several steps of a
// run find is reported once, wherever its line is.
func (c *Collector) AddDistinct(more ...Finding) {
	if len(c.List) == 0 {
		c.List = slices.Clone(more) // growing takes the memory twice
		return
	}
	known := map[saying]bool{}
	for _, f := range c.List {
		known[f.saying()] = true
	}
	for _, f := range more {
		if !known[f.saying()] {
			c.List = append(c.List, f)
		}
	}
}

// idTag is the key of a result's tags that holds the finding's id.
const idTag = "goldenarch.dev/finding"

// Result is a finding as KRM functions report it, in results of a ResourceList. It has the fields
// of kyaml's framework.Result, in the same order. Only fn imports that package: it brings schemas
// and formats that each start would set up.
type Result struct {
	Message     string                   `yaml:"message,omitempty"`
	Severity    Severity                 `yaml:"severity,omitempty"`
	ResourceRef *yaml.ResourceIdentifier `yaml:"resourceRef,omitempty"`
	Field       *ResultField             `yaml:"field,omitempty"`
	File        *ResultFile              `yaml:"file,omitempty"`
	Tags        map[string]string        `yaml:"tags,omitempty"`
}

// ResultFile is the file of the object that a result is about, and the index of the object in it.
type ResultFile struct {
	Path  string `yaml:"path,omitempty"`
	Index int    `yaml:"index,omitempty"`
}

// ResultField is the field that a result is about, with the value it has and the one it should
// have.
type ResultField struct {
	Path          string `yaml:"path,omitempty"`
	CurrentValue  any    `yaml:"currentValue,omitempty"`
	ProposedValue any    `yaml:"proposedValue,omitempty"`
}

// result returns the finding as a result of a KRM function. It always sets the
// severity: kyaml reads a missing one as info, the specification as error (kustomize
// cmd/config/docs/api-conventions/functions-spec.md). kpt prints names and paths
// unchanged, so result quotes those that contain terminal control characters. No object
// of a cluster has such a name.
func (f Finding) result() Result {
	r := Result{
		Message:  string(f.ID) + ": " + f.Message(),
		Severity: f.Severity,
		Tags:     map[string]string{idTag: string(f.ID)},
	}
	if f.Object.Kind != "" {
		r.ResourceRef = &yaml.ResourceIdentifier{
			TypeMeta: yaml.TypeMeta{APIVersion: console.Escape(f.Object.APIVersion), Kind: console.Escape(f.Object.Kind)},
			NameMeta: yaml.NameMeta{Name: console.Escape(f.Object.Name), Namespace: console.Escape(f.Object.Namespace)},
		}
	}
	if f.Field != "" {
		r.Field = &ResultField{Path: console.Escape(f.Field), CurrentValue: redacted(f.Current), ProposedValue: redacted(f.Proposed)}
	}
	if f.Object.File != "" {
		r.File = &ResultFile{Path: console.Escape(f.Object.File), Index: f.Object.Index}
	}
	return r
}

// redacted hides credentials in a value if it is a string.
func redacted(value any) any {
	if text, ok := value.(string); ok {
		return console.Redact(text)
	}
	return value
}

// Results returns the findings as results of a KRM function.
func (l List) Results() []Result {
	out := make([]Result, 0, len(l))
	for _, f := range l.Stories() {
		out = append(out, f.result())
	}
	return out
}

// Count returns a number of things: "1 field", "2 fields".
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Shortened lists the first names of a list, and says how many more there are.
func Shortened(list []string, shown int) string {
	if len(list) <= shown {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:shown], ", "), len(list)-shown)
}

// FirstOf lists the first few names, and says if there are more.
func FirstOf(list []string) string {
	const shown = 3
	if len(list) > shown {
		return strings.Join(list[:shown], ", ") + ", …"
	}
	return strings.Join(list, ", ")
}
