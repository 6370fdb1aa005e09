package kustomize

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/provenance"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/resid"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/parallel"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

const (
	transformations = "alpha.config.kubernetes.io/transformations"
	// kustomizeRelease is the kustomize release that contains the version of the library
	// in go.mod. The library does not know that release. It writes "(devel)", or
	// goldenarch's version, into the label that buildMetadata: [managedByLabel] asks for.
	kustomizeRelease = "v5.8.2"
)

// objects returns resources as kustomize writes them, with the files they came from.
func (b *build) objects(all resmap.ResMap) ([]Object, error) {
	of, resources := sourcesOf(b), all.Resources()
	return parallel.Map(len(resources), func(i int) (Object, error) {
		r := resources[i]
		if err := untrace(r); err != nil {
			return Object{}, fmt.Errorf("clean %s: %w", r.CurId(), err)
		}
		text, ok := yamlnode.AsKustomize(r.YNode())
		if !ok {
			var err error
			if text, err = r.AsYAML(); err != nil {
				return Object{}, fmt.Errorf("encode %s: %w", r.CurId(), err)
			}
		}
		return Object{File: of.file(r.CurId()), Text: text}, nil
	})
}

func untrace(r *resource.Resource) error {
	labels := r.GetLabels()
	if labels[konfig.ManagedbyLabelKey] == "kustomize-"+provenance.GetProvenance().Semver() {
		labels[konfig.ManagedbyLabelKey] = "kustomize-" + kustomizeRelease
		if err := r.SetLabels(labels); err != nil {
			return err
		}
	}
	steps, err := r.GetTransformations()
	if err != nil || steps == nil {
		return err
	}
	steps = slices.DeleteFunc(steps, func(step *resource.Origin) bool { return step.ConfiguredBy.Name == keepLocalName })
	if len(steps) == 0 {
		return r.ClearTransformations()
	}
	text, err := steps.String()
	if err != nil {
		return err
	}
	annotations := r.GetAnnotations()
	annotations[transformations] = text
	return r.SetAnnotations(annotations)
}

// kustomize's own notes of the origins are no way to know them: with the origins it notes each
// transformer in each object, so 200 objects with 200 patches take minutes, and a patch may see the
// notes. So goldenarch looks in the files of the build for what an object can be: an object of its
// kind, whose name is the built one after the prefixes and suffixes on the way.

// sources are the objects in the files of a build.
type sources struct {
	build   *build
	byBuilt map[nameKey][]fileObject
	byName  map[nameKey][]fileObject // by the name in the file
	byKind  map[nameKey][]fileObject // with the name ""
}

// nameKey identifies objects of a kind by a name.
type nameKey struct{ group, kind, name string }

// fileObject is an object in a file.
type fileObject struct {
	file string // as the kustomizations on the way name it, through links
	// namespaces are those that the object can have in the build: its own, and the one that a
	// kustomization sets.
	namespaces [2]string
}

// change is what a kustomization does to the names of objects.
type change struct{ prefix, suffix, namespace string }

// sourcesOf returns the objects in the files that a build has read.
func sourcesOf(b *build) *sources {
	out := &sources{build: b, byBuilt: map[nameKey][]fileObject{}, byName: map[nameKey][]fileObject{}, byKind: map[nameKey][]fileObject{}}
	out.directory(b.root, nil)
	return out
}

// read returns a file that the build has read.
func (s *sources) read(path string) []byte {
	at, file, err := s.build.disk.CleanedAbs(path)
	if err != nil || file == "" {
		return nil
	}
	return s.build.read[at.Join(file)]
}

// directory adds the objects of a directory. after is what the kustomizations above it do, in order.
// It returns what the directory does to the objects that are there before it, if it is a component.
func (s *sources) directory(dir string, after []change) []change {
	k, file, ok := s.build.load(dir)
	if !ok {
		return nil
	}
	own := s.own(dir, k)
	for _, entry := range slices.Backward(k.Components) {
		own = append(s.directory(filepath.Join(dir, entry), slices.Concat(own, after)), own...)
	}
	after = slices.Concat(own, after)
	for _, entry := range slices.Concat(k.Resources, k.Bases) { //nolint:staticcheck // older kustomizations have bases
		if IsInline(entry) {
			continue
		}
		at := filepath.Join(dir, entry)
		if text := s.read(at); text != nil {
			for _, id := range s.build.library.idsIn(text) {
				s.add(id, at, after)
			}
		} else {
			s.directory(at, after)
		}
	}
	for _, g := range k.ConfigMapGenerator {
		s.generated("ConfigMap", g.Name, g.Namespace, file, after)
	}
	for _, g := range k.SecretGenerator {
		s.generated("Secret", g.Name, g.Namespace, file, after)
	}
	for _, entry := range k.Generators {
		at, text := file, []byte(entry)
		if !IsInline(entry) {
			at = filepath.Join(dir, entry)
			text = s.read(at)
		}
		for _, item := range objectsIn(text) { // those of built-in generators
			id := IDOf(item)
			if kind, ok := strings.CutSuffix(id.Kind, "Generator"); ok {
				s.generated(kind, id.Name, id.Namespace, at, after)
			}
		}
	}
	return own
}

// own returns what a kustomization itself does: with its fields, then with its transformers.
func (s *sources) own(dir string, k types.Kustomization) []change {
	out := []change{{k.NamePrefix, k.NameSuffix, k.Namespace}}
	for _, entry := range inKustomizeOrder(k.Transformers) {
		text := []byte(entry)
		if !IsInline(entry) {
			text = s.read(filepath.Join(dir, entry))
		}
		for _, item := range objectsIn(text) {
			one := change{prefix: object.TextAt(item, "prefix"), suffix: object.TextAt(item, "suffix")}
			if object.TextAt(item, "kind") == "NamespaceTransformer" {
				one.namespace = object.TextAt(item, "metadata", "namespace")
			}
			if object.TextAt(item, "apiVersion") == konfig.BuiltinPluginApiVersion {
				out = append(out, one)
			}
		}
	}
	return out
}

// textSeed is the hash seed of the texts of all builds of a process.
var textSeed = maphash.MakeSeed()

// idsIn returns the ids of the objects in a text. It reads a text once: the overlays of a base build the same files.
func (l *Library) idsIn(text []byte) []resid.ResId {
	key := maphash.Bytes(textSeed, text)
	out, known := l.ids[key]
	if !known {
		for _, item := range objectsIn(text) {
			for _, one := range Expanded(item) {
				out = append(out, IDOf(one))
			}
		}
		if l.ids == nil {
			l.ids = map[uint64][]resid.ResId{}
		}
		l.ids[key] = out
	}
	return out
}

// generated adds an object that a generator in a file makes.
func (s *sources) generated(kind, name, namespace, file string, after []change) {
	s.add(resid.NewResIdWithNamespace(resid.NewGvk("", "v1", kind), name, namespace), file, after)
}

// objectsIn returns the documents of a text up to the first that cannot be read.
func objectsIn(text []byte) []*yaml.RNode {
	var out []*yaml.RNode
	for decoder := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var document yaml.Node
		if err := decoder.Decode(&document); err != nil {
			return out
		}
		if len(document.Content) == 1 && document.Content[0].Kind == yaml.MappingNode {
			out = append(out, yaml.NewRNode(document.Content[0]))
		}
	}
}

// add adds an object of a file.
func (s *sources) add(id resid.ResId, file string, after []change) {
	one, name := fileObject{file: file, namespaces: [2]string{id.EffectiveNamespace(), id.EffectiveNamespace()}}, id.Name
	for _, c := range after {
		name = c.prefix + name + c.suffix
		if c.namespace != "" {
			one.namespaces[1] = c.namespace
		}
	}
	note := func(of map[nameKey][]fileObject, name string) {
		if key := (nameKey{id.Group, id.Kind, name}); !slices.Contains(of[key], one) {
			of[key] = append(of[key], one)
		}
	}
	note(s.byBuilt, name)
	note(s.byName, id.Name)
	if key := (nameKey{id.Group, id.Kind, ""}); len(s.byKind[key]) == 0 || len(s.byKind[key]) == 1 && s.byKind[key][0].file != file {
		s.byKind[key] = append(s.byKind[key], fileObject{file: file}) // two files are not clear
	}
}

// file returns the file that a built object is from; the directory of the build if that is not
// clear.
func (s *sources) file(id resid.ResId) string {
	found := s.candidates(id)
	if inNamespace := slices.DeleteFunc(slices.Clone(found), func(one fileObject) bool {
		return !slices.Contains(one.namespaces[:], id.EffectiveNamespace())
	}); len(inNamespace) > 0 {
		found = inNamespace
	}
	if len(found) == 0 || slices.ContainsFunc(found, func(one fileObject) bool { return one.file != found[0].file }) {
		return filepath.ToSlash(s.build.given)
	}
	return filepath.ToSlash(files.Named(s.build.given, s.build.root, found[0].file))
}

// candidates returns what a built object can be.
func (s *sources) candidates(id resid.ResId) []fileObject {
	key := nameKey{id.Group, id.Kind, id.Name}
	if found := s.byBuilt[key]; len(found) > 0 {
		return found
	}
	if at := strings.LastIndexByte(id.Name, '-'); at > 0 { // before a hash
		key.name = id.Name[:at]
		if found := s.byBuilt[key]; len(found) > 0 {
			return found
		}
	}
	// A transformer changes the name, too: the object has the longest name that it contains.
	for key.name = range PartsOf(id.Name) {
		if found := s.byName[key]; len(found) > 0 {
			return found
		}
	}
	return s.byKind[nameKey{id.Group, id.Kind, ""}]
}

// maxName is how long a name of Kubernetes can be.
const maxName = 253

// PartsOf yields a name and then the parts of it, the longest first: an object has one of them in its
// file, where prefixes and suffixes have made the name. Of a longer name than Kubernetes has it yields
// no parts.
func PartsOf(name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for length := len(name); length > 0 && (length == len(name) || len(name) <= maxName); length-- {
			for from := 0; from+length <= len(name); from++ {
				if !yield(name[from : from+length]) {
					return
				}
			}
		}
	}
}

// Expanded returns the objects of a List at any depth, as kustomize does, and any other object itself
// (kustomize api/resource/factory.go: inlineAnyEmbeddedLists).
func Expanded(item *yaml.RNode) []*yaml.RNode {
	list := object.ListItems(item.YNode())
	if _, ok := object.ElementKind(object.Ref(item).Kind); !ok || list == nil {
		return []*yaml.RNode{item}
	}
	var out []*yaml.RNode
	for _, element := range list.Content {
		if element.Kind == yaml.MappingNode { // not an alias, which shares the value
			out = append(out, Expanded(yaml.NewRNode(element))...)
		}
	}
	return out
}

// IDOf returns the id of an object in a file, as kustomize sees it: it expands aliases first. The
// accessors of kyaml take the name of an anchor for the value.
func IDOf(item *yaml.RNode) resid.ResId {
	of := object.Ref(item)
	group, version := resid.ParseGroupVersion(of.APIVersion)
	return resid.NewResIdWithNamespace(resid.NewGvk(group, version, of.Kind), of.Name, of.Namespace)
}
