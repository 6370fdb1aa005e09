package pipeline

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
)

// config finds the configuration and lays the flags over it.
func (f Function) config(given *yaml.RNode, items []*yaml.RNode) (*v1alpha1.GoldenImages, finding.List) {
	config, found := findConfig(given, items)
	if found.Failed() {
		return config, found
	}
	found = append(found, invalid(object{}, f.Options.Over(&config.Spec))...)
	return config, append(found, ofConfig(f.unverified(config.Spec.ParsedRelease()), config)...)
}

// unverified tells of a release that is newer than the newest one that goldenarch
// has been verified with.
func (f Function) unverified(release v1alpha1.Release) finding.List {
	if release.Verified() {
		return nil
	}
	out := finding.Finding{
		ID: finding.ReleaseNewer, Severity: finding.Warning, Field: "spec.release",
		Text: fmt.Sprintf("goldenarch has not been verified with HCO %s and treats it as HCO %s, the newest release that it knows", release, v1alpha1.NewestVerified()),
		Do:   "use a newer goldenarch, if there is one; else try the result on a test cluster",
	}
	if f.Strict {
		out.Severity = finding.Error
	}
	return finding.List{out}
}

// released returns the configuration with the release of the live CR, if it states
// none itself, and what is to say of that release.
func (f Function) released(live *liveCR, spec *v1alpha1.GoldenImagesSpec) (*v1alpha1.GoldenImagesSpec, finding.List) {
	out, found := live.released(spec)
	if spec.Release != "" || out.Release == "" {
		return out, found
	}
	newer := f.unverified(out.ParsedRelease())
	for i := range newer {
		newer[i].Object, newer[i].Field = live.at, "status.versions"
	}
	return out, append(found, newer...)
}

// ofConfig says of findings about the configuration's fields that they are: the
// rest of the run knows only its spec.
func ofConfig(found finding.List, config *v1alpha1.GoldenImages) finding.List {
	for i, f := range found {
		if f.Object == (finding.Object{}) && strings.HasPrefix(f.Field, "spec.") {
			found[i].Object = finding.Object{APIVersion: config.APIVersion, Kind: config.Kind, Name: config.Name}
		}
	}
	return found
}

// findConfig finds the configuration: the one given, else the GoldenImages among
// the items, else the defaults. A GoldenImages beside another one is an error;
// kpt passes the one given as an item as well, and that is the same object.
func findConfig(given *yaml.RNode, items []*yaml.RNode) (*v1alpha1.GoldenImages, finding.List) {
	var config *object
	if !given.IsNilOrEmpty() || yaml.IsYNodeEmptySeq(given.YNode()) {
		config = &object{item: given, node: given, at: refer(given)}
		config.at.File, config.at.Index = place(given)
	}
	for _, o := range objects(items) {
		if !isOwn(o.at, v1alpha1.GoldenImagesKind) {
			continue
		}
		switch {
		case config == nil:
			config = &o
		case config.at.Kind == o.at.Kind && config.at.Name == o.at.Name && config.item == given:
		default:
			f := twice(o)
			f.Text = fmt.Sprintf("there are two configurations in the input: %s and %s", config.at, o.at)
			return nil, finding.List{f}
		}
	}
	if config == nil {
		defaults, err := v1alpha1.DecodeGoldenImages(nil)
		return defaults, invalid(object{}, err)
	}
	return decodeConfig(*config)
}

func decodeConfig(o object) (*v1alpha1.GoldenImages, finding.List) {
	if what := noObject(o.node.YNode()); what != "" {
		return nil, finding.List{{
			ID: finding.ConfigInvalid, Severity: finding.Error, Object: o.at, Line: lineOf(o.node.YNode(), ""),
			Text: "the configuration is " + what + ", expected an object", Do: "give a GoldenImages, or a ConfigMap",
		}}
	}
	data, err := o.json()
	if err != nil {
		return nil, finding.List{o.unreadable(err)}
	}
	var tree map[string]any
	if err := json.Unmarshal(data, &tree); err != nil {
		return nil, finding.List{o.unreadable(err)}
	}
	config, err := v1alpha1.DecodeGoldenImages(tree)
	return config, append(duplicateKeys(o), invalid(o, err)...)
}

// noObject says what a node is that is no object, "" for one that is.
func noObject(n *yaml.Node) string {
	switch n.Kind {
	case yaml.SequenceNode:
		return "a list"
	case yaml.ScalarNode:
		return fmt.Sprintf("the value %q", n.Value)
	case yaml.MappingNode, yaml.AliasNode, yaml.DocumentNode:
	}
	return ""
}

// invalid tells all that is wrong with the configuration.
func invalid(o object, err error) finding.List {
	if err == nil {
		return nil
	}
	var list v1alpha1.Errors
	if !errors.As(err, &list) {
		list = v1alpha1.Errors{{Text: err.Error()}}
	}
	var found finding.List
	for _, one := range list {
		f := finding.Finding{ID: finding.ConfigInvalid, Severity: finding.Error, Object: o.at, Field: one.Path, Text: one.Text}
		if one.NotAvailable {
			f.ID = finding.NotAvailable
			f.Do = "leave it out, or use a version that has it"
		}
		if o.node != nil {
			f.Line = lineOf(o.node.YNode(), one.Path)
		}
		found = append(found, f)
	}
	return found
}
