package unread

import (
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/manifest/wrapper"
	"github.com/goldenarch/goldenarch/internal/pattern"
	"github.com/goldenarch/goldenarch/internal/workload/podspec"
	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// Mentions reports whether a key or a value in a node may be what [InNode] finds. It does not follow
// aliases: their targets are in the node, too.
func Mentions(n *yaml.Node) bool {
	if n.Kind != yaml.ScalarNode {
		return slices.ContainsFunc(n.Content, Mentions)
	}
	if len(n.Value) < len(kind) { // most of them
		return false
	}
	in := func(word string) bool { return strings.Contains(n.Value, word) }
	return slices.ContainsFunc(words, in) || slices.ContainsFunc(encodedWords(), in)
}

// InObject returns what is in an object that goldenarch reads, in the places that it does not read.
// It reads the object itself, and what [wrapper.Open] returns. The node must not have an anchor that
// is its own ancestor.
func InObject(apiVersion, kind string, object *yaml.Node) []Hit {
	in := surroundings{}.of(object)
	if in.kind == schemaKind {
		return nil
	}
	if !isRead(in) && isCR(object) { // a variable is in its head
		return []Hit{{What: CR, Line: object.Line}}
	}
	s := search{opened: map[*yaml.Node]bool{object: true}}
	for _, content := range wrapper.Open(apiVersion, kind, object) {
		s.opened[content.Node] = true
	}
	s.fields(object, "", in)
	return s.hits
}

// search looks through a tree.
type search struct {
	want Want
	// opened are the objects that goldenarch reads.
	opened map[*yaml.Node]bool
	hits   []Hit
	// inText is how many texts are around the tree.
	inText int
}

// surroundings is what is known about the object around a node.
type surroundings struct {
	group, kind string
	// sample says that no cluster gets what is there, or that a person runs it.
	sample bool
	// encoded says that texts are in base64.
	encoded bool
	// key is the nearest key.
	key string
}

// schemaKind is the kind of a schema, which shows fields and has no objects.
const schemaKind = "CustomResourceDefinition"

// samples are kinds whose texts show objects: those of a console, and the examples of operators.
var samples = map[string]bool{"ClusterServiceVersion": true, "ConsoleYAMLSample": true, "ConsoleQuickStart": true, "PackageManifest": true}

// patching are kinds that change what they apply. What their patches say of a CR is judged with the CR.
var patching = map[string]bool{"Application": true, "ApplicationSet": true, "Kustomization": true, "Component": true, "PolicyGenerator": true}

// patches are the fields of these kinds with patches.
var patches = map[string]bool{"patches": true, "patchesStrategicMerge": true, "patchesJson6902": true, "patch": true, "templatePatch": true}

// of returns what is known in a mapping: the object that it is, or the one around it.
func (p surroundings) of(n *yaml.Node) surroundings {
	apiVersion, kind := text(n, "apiVersion"), text(n, "kind")
	p.sample = p.sample || strings.HasPrefix(text(n, "schema"), "olm.") // of a catalog of operators
	if apiVersion == "" || kind == "" {
		return p
	}
	p.group, _, _ = strings.Cut(apiVersion, "/")
	p.kind, p.key = kind, ""
	p.sample = p.sample || samples[kind] || p.group == "tekton.dev"
	return p
}

// visit looks at a node and at those below it.
func (s *search) visit(n *yaml.Node, path string, in surroundings) {
	n = yamlnode.Root(n)
	switch {
	case n == nil, s.opened[n], yamlnode.IsListAsText(n):
	case n.Kind == yaml.ScalarNode:
		s.text(n, path, in)
	case n.Kind == yaml.SequenceNode:
		for i, element := range n.Content {
			s.visit(element, fieldpath.Element(path, i), in)
		}
	case n.Kind == yaml.MappingNode:
		s.mapping(n, path, in)
	}
}

// mapping looks at a mapping: it is an object that goldenarch checks, or its fields may hold one.
func (s *search) mapping(n *yaml.Node, path string, in surroundings) {
	switch in := in.of(n); {
	case isCR(n):
		s.add(Hit{What: CR, Path: path, Line: n.Line, Place: placeOf(path, ""), Sample: in.sample})
	case in.group == "ssp.kubevirt.io" && in.kind == "SSP", in.kind == schemaKind:
	case s.want.Machines && isMachine(n):
		s.add(Hit{What: Machine, Path: path, Line: n.Line, Sample: in.sample})
	case s.want.Pods && hasPods(n):
		s.add(Hit{What: Pods, Path: path, Line: n.Line, Sample: in.sample})
	default:
		s.fields(n, path, in)
	}
}

// fields looks at the fields of a mapping.
func (s *search) fields(n *yaml.Node, path string, in surroundings) {
	isObject := text(n, "apiVersion") != "" && text(n, "kind") != ""
	for key, value := range yamlnode.Fields(n) {
		below := in
		below.key = key
		below.encoded = in.encoded || in.kind == "Secret" && key == "data" && isObject || in.kind == "ConfigMap" && key == "binaryData" && isObject
		switch {
		case isObject && (key == "status" || key == "metadata" && !samples[in.kind]):
		case patching[in.kind] && patches[key]:
		case key == templatesField && !isRead(in) && isList(value):
			spec, version := path, "v1beta1"
			if above, ok := strings.CutSuffix(path, "workloadSources"); ok {
				spec, version = strings.TrimSuffix(above, "."), "v1"
			}
			s.add(Hit{What: Templates, Path: fieldpath.Join(path, key), Line: value.Line, Place: placeOf(spec, version), Sample: in.sample})
		default:
			s.visit(value, fieldpath.Join(path, key), below)
		}
	}
}

// isRead reports whether the object around a list of templates is one that has it itself.
func isRead(in surroundings) bool {
	return in.group == group && in.kind == kind || in.group == "ssp.kubevirt.io"
}

func isList(n *yaml.Node) bool { return n.Kind == yaml.SequenceNode && len(n.Content) > 0 }

// placeOf returns what --cr-path says after the file; "" for the root of a document, and in a text.
func placeOf(path, version string) string {
	place := fieldpath.Quoted(fieldpath.Steps(path))
	if place != "" && version != "" {
		place += "@" + version
	}
	return place
}

func (s *search) add(hit Hit) {
	if s.inText > 0 {
		hit.Text, hit.Place = true, ""
	}
	s.hits = append(s.hits, hit)
}

// deepestText is how many texts in texts are looked into.
const deepestText = 2

// text looks into a text, which may be a manifest, a template of one, or a script that writes one.
func (s *search) text(n *yaml.Node, path string, in surroundings) {
	value := n.Value
	if in.encoded || n.Tag == "!!binary" {
		value = decoded(value)
	}
	if s.inText == deepestText || !strings.ContainsAny(value, "\n{") || !MayHold([]byte(value)) || isProse(in.key) {
		return
	}
	isScript := IsScript(value) || strings.HasSuffix(in.key, ".sh") || strings.HasSuffix(in.key, ".py")
	below := search{inText: s.inText + 1}
	below.stream([]byte(value), false)
	for _, what := range []What{CR, Templates} {
		i := slices.IndexFunc(below.hits, func(hit Hit) bool { return hit.What == what })
		if i < 0 {
			continue
		}
		line := n.Line
		if n.Style&yaml.LiteralStyle != 0 {
			line += below.hits[i].Line
		}
		hit := Hit{What: what, Path: path, Line: line, Text: true, Sample: in.sample || isScript || below.hits[i].Sample}
		s.hits = append(s.hits, hit)
		return
	}
}

// isProse reports whether a key of a ConfigMap is the name of a page.
func isProse(key string) bool {
	return slices.ContainsFunc([]string{".md", ".html", ".txt", ".adoc", ".rst"}, func(end string) bool { return strings.HasSuffix(key, end) })
}

// script matches what a text of a shell has: its first line, a document in place, or a client of the cluster.
var script = pattern.Of(`^#!|<<-?[ \t]*\\?["']?[A-Za-z_]+|(?m:^[ \t]*(?:oc|kubectl|set|export|echo|cat)[ \t])`)

// IsScript reports whether a text is a script: what it writes gets to a cluster only if somebody runs it.
func IsScript(text string) bool { return script().MatchString(text) }

// isCR reports whether a mapping is a HyperConverged CR: it has the group and the kind of one, or a
// variable in the place of one of the two, and is no reference. A task of Ansible may have both beside the
// definition.
func isCR(n *yaml.Node) bool {
	if isHead(text(n, "apiVersion"), text(n, "kind")) {
		return hasBody(n, "metadata", "spec", "data", "definition") || !hasBody(n, naming...)
	}
	return isHead(text(n, "api_version"), text(n, "kind")) && hasBody(n, "definition", "resource_definition")
}

// naming are the fields beside the kind of an object that somebody refers to.
var naming = []string{"name", "current", "selector", "fieldPath"}

// isHead reports whether a group and a kind are those of a CR, or may be.
func isHead(apiVersion, name string) bool {
	const variable = "${"
	of, _, _ := strings.Cut(apiVersion, "/")
	isKind := name == kind || strings.Contains(name, variable) && strings.Contains(name, kind)
	isGroup := of == group || strings.Contains(of, variable)
	return isKind && isGroup || of == group && strings.Contains(name, variable)
}

// hasBody reports whether a mapping has one of some fields with something in it.
func hasBody(n *yaml.Node, fields ...string) bool {
	return slices.ContainsFunc(fields, func(field string) bool {
		value := yamlnode.Get(n, field)
		return value != nil && (value.Kind == yaml.MappingNode || value.Kind == yaml.ScalarNode && value.Value != "")
	})
}

// isMachine reports whether a mapping is a virtual machine, what makes one, or its disk.
func isMachine(n *yaml.Node) bool {
	h := headings[slices.IndexFunc(headings, func(h heading) bool { return h.what == Machine })]
	return h.group().MatchString(text(n, "apiVersion")) && h.kind().MatchString(text(n, "kind")) && hasBody(n, "metadata", "spec")
}

// hasPods reports whether a mapping is an object with pods.
func hasPods(n *yaml.Node) bool {
	apiVersion, kind := text(n, "apiVersion"), text(n, "kind")
	if apiVersion == "" || kind == "" {
		return false
	}
	return slices.ContainsFunc(podspec.Places(podspec.Object{Node: n, APIVersion: apiVersion, Kind: kind}, podspec.Options{}), func(p podspec.Place) bool {
		return p.Shape == podspec.PodSpec && len(p.Images()) > 0
	})
}

// text returns the text of a field, which may be in base64.
func text(n *yaml.Node, field string) string {
	value := yamlnode.Get(n, field)
	if value == nil || value.Kind != yaml.ScalarNode {
		return ""
	}
	if value.Tag == "!!binary" {
		return decoded(value.Value)
	}
	return value.Value
}
