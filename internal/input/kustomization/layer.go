package kustomization

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/utils"
	"sigs.k8s.io/kustomize/kyaml/yaml"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/object"
)

// layer is what the replacements of a directory with a kustomization depend on.
type layer struct {
	bases      []*layer // each has its own objects
	components []*layer // applied in order to the objects of the bases
	copies     []copying
	vars       []types.Var
	files      []source // the sources of objects, and the directory itself
	patches    int
	// seesOrigins says that the layer may build otherwise where kustomize notes the origins.
	seesOrigins bool
	marking     bool // a build of it may have marks
	// resources are the files with its objects, and patchFiles those with its patches.
	resources, patchFiles []string
	lists                 bool // it has transformers or validators
	checked               bool // goldenarch has checked that it does not grow too much
}

// source is a file or a directory, and the key whose value is the whole text of the file.
type source struct{ path, key string }

// all returns a layer and all its sources, each once.
func (l *layer) all(before []*layer) []*layer {
	if l == nil || slices.Contains(before, l) {
		return before
	}
	before = append(before, l)
	for _, inner := range slices.Concat(l.bases, l.components) {
		before = inner.all(before)
	}
	return before
}

// runsListed reports whether kustomize's library runs transformers or validators that a layer lists.
func (b *build) runsListed(l *layer) bool {
	last, is := b.kept[l.files[0].path]
	return l.lists && (!is || len(last.transformers)+len(last.validators) > 0)
}

// layer returns the sources of a directory. above has the directories on the way to it. If
// a directory is built from itself, kustomize reports the error.
func (b *build) layer(dir string, above []string) *layer {
	if known := b.notes.layers[dir]; known != nil || slices.Contains(above, dir) {
		return known
	}
	k, ok := b.load(dir)
	if !ok {
		return nil
	}
	k.FixKustomization() // bases are resources
	above = append(slices.Clone(above), dir)
	out := &layer{files: []source{{path: dir}}, vars: k.Vars, patches: patchesIn(k)} //nolint:staticcheck // kustomize takes them
	// kustomize names an origin as the entries do: through links, where they are links.
	direct := true
	placed := func(entry string) (at string, isDir bool) {
		at, isDir = b.placeOf(dir, entry)
		direct = direct && at == filepath.Join(dir, entry)
		return at, isDir
	}
	for _, entry := range k.Resources {
		if at, isDir := placed(entry); isDir {
			out.bases = append(out.bases, b.layer(at, above))
		} else if at != "" {
			out.files = append(out.files, source{path: at})
			out.resources = append(out.resources, at)
		}
	}
	for _, entry := range k.Components {
		if at, isDir := placed(entry); isDir {
			out.components = append(out.components, b.layer(at, above))
		}
	}
	out.files = append(out.files, b.generated(dir, k)...)
	out.copies = copyings(b.replacements(dir, k.Replacements))
	for _, entry := range k.Transformers {
		items, err := b.entry(dir, entry)
		if err != nil {
			continue // kustomize says what is wrong
		}
		for _, item := range items {
			replacements := b.replacementsIn(dir, item)
			out.copies = append(out.copies, copyings(replacements)...)
			text, err := item.String()
			out.seesOrigins = out.seesOrigins || err != nil || patchSees([]byte(text), true) || copySees(replacements)
		}
	}
	out.seesOrigins = out.seesOrigins || b.seesOrigins(dir, k)
	out.marking = direct && !out.seesOrigins && !has(k, func(field string) bool { return !slices.Contains(marking, field) })
	for _, entry := range patchFilesOf(k) {
		if at, _ := b.placeOf(dir, entry); at != "" {
			out.patchFiles = append(out.patchFiles, at)
		}
	}
	out.lists = len(k.Transformers)+len(k.Validators) > 0
	b.notes.layers[dir] = out
	return out
}

// generated returns the files from which a kustomization generates ConfigMaps and Secrets,
// those that exist.
func (b *build) generated(dir string, k types.Kustomization) []source {
	var out []source
	for _, file := range generatedFrom(k) {
		if at, isDir := b.placeOf(dir, file.path); !isDir && at != "" {
			out = append(out, source{path: at, key: file.key})
		}
	}
	return out
}

// placeOf returns the file or directory that an entry names, or "" if it does not name
// one.
func (b *build) placeOf(dir, entry string) (at string, isDir bool) {
	if entry == "" || isInline(entry) || isRemote(dir, entry) || filepath.IsAbs(entry) {
		return "", false
	}
	place, file, err := b.FileSystem.CleanedAbs(filepath.Join(dir, entry))
	if err != nil {
		return "", false
	}
	return place.Join(file), file == ""
}

// replacements returns the replacements of a list, including those in files.
func (b *build) replacements(dir string, list []types.ReplacementField) []types.Replacement {
	var out []types.Replacement
	for _, r := range list {
		if r.Path == "" {
			out = append(out, r.Replacement)
			continue
		}
		at, isDir := b.placeOf(dir, r.Path)
		if at == "" || isDir {
			continue
		}
		data, err := b.FileSystem.ReadFile(at)
		if err != nil {
			continue
		}
		var several []types.Replacement
		var one types.Replacement
		if k8syaml.Unmarshal(data, &several) == nil {
			out = append(out, several...)
		} else if k8syaml.Unmarshal(data, &one) == nil {
			out = append(out, one)
		}
	}
	return out
}

// replacementsIn returns the replacements of a transformer, or of those in a List.
func (b *build) replacementsIn(dir string, item *yaml.RNode) []types.Replacement {
	text, err := item.String()
	if err != nil {
		return nil
	}
	var read struct {
		Kind         string                   `json:"kind"`
		Replacements []types.ReplacementField `json:"replacements"`
	}
	var out []types.Replacement
	if k8syaml.Unmarshal([]byte(text), &read) == nil && read.Kind == "ReplacementTransformer" {
		out = b.replacements(dir, read.Replacements)
	}
	if list := object.ListItems(item.YNode()); list != nil {
		for _, element := range list.Content {
			out = append(out, b.replacementsIn(dir, yaml.NewRNode(element))...)
		}
	}
	return out
}

// refuseGrowth fails if replacements, in a kustomization or its sources, may make the
// resources much larger than the files. A replacement that copies a text into itself
// doubles the text with each line, and goldenarch cannot stop the library.
func (b *build) refuseGrowth(dir string) error {
	top := b.layer(dir, nil)
	if top == nil || top.checked {
		return nil
	}
	e := newEvaluation(func([]string) float64 { return 1 })
	switch e.of(top); {
	case repeatsTooOften(e.again, len(e.met)):
		return errAgain // the library would read each of them again
	case e.fields > maxFields:
		return errFields
	}
	if e.growth > maxTimes {
		e = newEvaluation(b.measured(top))
		if e.of(top); e.growth > maxGrown {
			return errGrows
		}
	}
	if err := b.refuseVars(top); err != nil {
		return err
	}
	for _, l := range top.all(nil) {
		l.checked = true
	}
	return nil
}

// maxVars is how many bytes the vars of a build may add to the contents of one file.
// kustomize adds them in one step.
const maxVars = 16 << 20

var errVars = fmt.Errorf("the vars put more than %d MiB into what one file has: copy the value with replacements, or name it less often", maxVars>>20)

// refuseVars fails if the vars of a build add a long text to a file too often.
func (b *build) refuseVars(top *layer) error {
	all := top.all(nil)
	var vars []types.Var
	for _, l := range all {
		vars = append(vars, l.vars...)
	}
	if len(vars) == 0 {
		return nil
	}
	first := b.measured(top)
	for _, l := range all {
		for _, file := range l.files {
			data, put := b.read(file.path), 0.0
			for _, v := range vars {
				if times := bytes.Count(data, []byte("$("+v.Name+")")); times > 0 {
					put += float64(times) * first(pathOf(v.FieldRef.FieldPath))
				}
			}
			if put > maxVars {
				return errVars
			}
		}
	}
	return nil
}

// evaluation follows the replacements of a build in the order in which kustomize applies
// them.
type evaluation struct {
	first  sizes
	done   map[*layer]grown // of the bases
	growth float64          // the most that a value has grown
	fields int
	met    map[*layer]bool
	again  int // how often the evaluation has reached a layer again
}

func newEvaluation(first sizes) *evaluation {
	return &evaluation{first: first, done: map[*layer]grown{}, met: map[*layer]bool{}}
}

// of returns how much the values of a layer's objects grow.
func (e *evaluation) of(l *layer) grown {
	if l == nil {
		return nil
	}
	if known, is := e.done[l]; is {
		return known
	}
	out := grown{}
	e.into(l, out)
	e.done[l] = out
	return out
}

// into applies a layer to objects. A component changes the objects of the layer above it.
// If a build repeats layers too often, the evaluation stops; kustomize's library stops
// even earlier.
func (e *evaluation) into(l *layer, objects grown) {
	if l == nil || repeatsTooOften(e.again, len(e.met)) || e.fields > maxFields {
		return
	}
	if e.met[l] {
		e.again++
	}
	e.met[l] = true
	for _, base := range l.bases {
		objects.merge(e.of(base))
	}
	for _, component := range l.components {
		e.into(component, objects)
	}
	for _, c := range l.copies {
		if e.fields++; e.fields > maxFields {
			return
		}
		objects.apply(c, e.first)
		if by := objects[strings.Join(c.to, "\x00")].by; by > e.growth {
			e.growth = by
		}
		if e.growth > tooMany {
			return
		}
	}
}

// tooMany is above every limit, so it stops an evaluation.
const tooMany = 1 << 40

// measured returns the sizes of the values of a build's objects, by the last key of their
// path.
func (b *build) measured(top *layer) sizes {
	m := measure{byKey: map[string]int{}}
	for _, l := range top.all(nil) {
		for _, file := range l.files {
			data := b.read(file.path)
			m.byKey[file.key] = max(m.byKey[file.key], len(data))
			for line := range bytes.Lines(data) { // of literals and of env files
				m.longest = max(m.longest, len(line))
			}
			for _, document := range documents(data) {
				m.tree(document)
			}
		}
	}
	return func(path []string) float64 {
		for _, step := range slices.Backward(path) {
			if step == "*" || selects(step) {
				continue
			}
			if size, is := m.byKey[step]; is {
				return float64(size)
			}
			break
		}
		return float64(m.longest)
	}
}

// measure has the sizes of values.
type measure struct {
	byKey   map[string]int
	longest int // the longest single value
}

// tree returns the approximate size of a value as text, and records those of its parts.
func (m *measure) tree(tree any) int {
	const node = 8 // the size of a value in addition to its text
	size := node
	switch tree := tree.(type) {
	case map[string]any:
		for key, value := range tree {
			inner := m.tree(value)
			m.byKey[key] = max(m.byKey[key], inner)
			size += inner + len(key)
		}
	case []any:
		for _, value := range tree {
			size += m.tree(value)
		}
	case string:
		size += len(tree)
		m.longest = max(m.longest, size)
	}
	return size
}

// read returns a file, or the kustomization of a directory. It returns nil if that fails.
func (b *build) read(path string) []byte {
	if !b.IsDir(path) {
		data, _ := b.FileSystem.ReadFile(path) // kustomize says what is wrong
		return data
	}
	for _, name := range konfig.RecognizedKustomizationFileNames() {
		if at, isDir := b.placeOf(path, name); at != "" && !isDir {
			data, _ := b.FileSystem.ReadFile(at)
			return data
		}
	}
	return nil
}

const (
	// maxTimes is how many times replacements may multiply the original size of a value,
	// whatever that size is.
	maxTimes = 16
	// maxGrown is how many bytes replacements may add to a value that exceeds maxTimes.
	maxGrown = 1 << 20
	// maxFields is how many fields the replacements of a build may name.
	maxFields = 10_000
)

var (
	errGrows = fmt.Errorf("replacements copy what other replacements have enlarged, so that a value may become %d times as large and grow by more than %d MiB: "+
		"copy from a field that no replacement writes", maxTimes, maxGrown>>20)
	errFields = fmt.Errorf("replacements name more than %d fields: build it first, with kustomize", maxFields)
)

// copying is one field that a replacement writes, and the field that it reads.
type copying struct {
	from, to []string // nil means a value that is in the replacement itself
	joins    bool     // the value becomes a part of the existing value
}

// copyings returns the fields that a list of replacements copies, in order.
func copyings(list []types.Replacement) []copying {
	var out []copying
	for _, r := range list {
		var from []string
		if r.Source != nil {
			from = pathOf(r.Source.FieldPath)
		}
		for _, target := range r.Targets {
			if target == nil {
				continue
			}
			fields := target.FieldPaths
			if len(fields) == 0 {
				fields = []string{""}
			}
			for _, field := range fields {
				out = append(out, copying{from: from, to: pathOf(field), joins: target.Options != nil && target.Options.Delimiter != ""})
			}
		}
	}
	return out
}

func pathOf(field string) []string {
	if field == "" {
		field = types.DefaultReplacementFieldPath
	}
	return utils.SmarterPathSplitter(field, ".")
}

// grown is the maximum growth of values. It knows only their paths, not their objects.
type grown map[string]*growth

type growth struct {
	path []string
	by   float64
}

// sizes returns the maximum original size of a value at a path.
type sizes func(path []string) float64

// at returns the maximum size of the value at a path: its original size, and the growth of
// any value inside or around it.
func (g grown) at(path []string, first sizes) float64 {
	size := first(path)
	for _, one := range g {
		if overlap(one.path, path) {
			size += one.by
		}
	}
	return size
}

// apply adds what a replacement copies. If the target is a text with YAML in it, kustomize
// escapes the copy, which may double its size (kustomize filters/replacement).
func (g grown) apply(c copying, first sizes) {
	const escaped = 2
	size := escaped * first(nil)
	if c.from != nil {
		size = escaped * g.at(c.from, first)
	}
	key := strings.Join(c.to, "\x00")
	if g[key] == nil {
		g[key] = &growth{path: c.to}
	}
	if c.joins {
		g[key].by += size
	} else {
		g[key].by = max(g[key].by, size)
	}
}

// merge adds the growth of other objects.
func (g grown) merge(other grown) {
	for key, one := range other {
		if g[key] == nil {
			g[key] = &growth{path: one.path}
		}
		g[key].by = max(g[key].by, one.by)
	}
}

// overlap reports whether one of two paths may lead to a value inside that of the other.
func overlap(a, b []string) bool {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] && !(selects(a[i]) && selects(b[i])) && a[i] != "*" && b[i] != "*" {
			return false
		}
	}
	return true
}

// selects reports whether a step of a path selects elements of a list.
func selects(step string) bool {
	return step == "-" || strings.HasPrefix(step, "[") || step != "" && !slices.ContainsFunc([]byte(step), func(c byte) bool { return c < '0' || c > '9' })
}
