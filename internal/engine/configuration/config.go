package configuration

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/engine/settings"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
)

// Config is the configuration of a run.
type Config struct {
	*v1alpha1.GoldenImages
	// Settings is the spec with its words as types, for the steps of a run.
	Settings *settings.Settings
	// Workloads has options for pods beyond the mode; nil if nobody sets any.
	Workloads *v1alpha1.WorkloadArchitectures
	// OnlyWorkloads says that the given configuration is only about pods.
	OnlyWorkloads bool

	// StatesNodes says that the node facts of the input do not count, because the operator or
	// the policy states the nodes. PolicyFacts are those of the policy.
	StatesNodes bool
	PolicyFacts []object.Object
	// Exceptions are those of spec.findings.
	Exceptions finding.Exceptions

	statesTimeout bool     // for registries
	facts         []string // of the cluster, that an untrusted configuration states
}

// aboutPods reports whether the run is about pods too.
func (c *Config) aboutPods() bool { return c.PodSpec(&c.Spec, false).Mode != v1alpha1.WorkloadsNone }

// PodSpec returns what to do about pods. The GoldenImages or a flag takes precedence. isBundle says that the items are one of the
// Operator Lifecycle Manager.
func (c *Config) PodSpec(golden *v1alpha1.GoldenImagesSpec, isBundle bool) v1alpha1.WorkloadArchitecturesSpec {
	var out v1alpha1.WorkloadArchitecturesSpec
	if c.Workloads != nil {
		out = c.Workloads.Spec
	} else {
		out.Default()
		out.Mode = v1alpha1.WorkloadsNone
		switch {
		case golden.CSVLabels == v1alpha1.CSVLabelsWrite:
			out.Mode = v1alpha1.WorkloadsAffinity
		case isBundle:
			out.Mode = v1alpha1.WorkloadsCheck
		}
	}
	out.Mode, out.CSVLabels = cmp.Or(golden.Workloads, out.Mode), cmp.Or(golden.CSVLabels, out.CSVLabels)
	return out
}

// Locate adds the configuration's object to findings about its fields. The rest of the run
// knows only its spec.
func Locate(found finding.List, config *Config) finding.List {
	for i, f := range found {
		if f.Object == (finding.Object{}) && strings.HasPrefix(f.Field, "spec.") {
			found[i].Object = finding.Object{APIVersion: config.APIVersion, Kind: config.Kind, Name: config.Name}
		}
	}
	return found
}

// statedImages returns the images whose architectures the configuration and flags state.
func (c *Config) statedImages(flags []v1alpha1.Override) []settings.StatedImage {
	var out []settings.StatedImage
	for i, one := range c.Spec.Overrides {
		if one.Image != "" {
			out = append(out, settings.StatedImage{
				Image: one.Image, Architectures: arch.Named(one.Architectures...), Field: fmt.Sprintf("spec.overrides[%d].image", i),
			})
		}
	}
	if w := c.Workloads; w != nil {
		at := finding.Object{APIVersion: w.APIVersion, Kind: w.Kind, Name: w.Name}
		for _, image := range slices.Sorted(maps.Keys(w.Spec.ImageArchitectures)) {
			out = append(out, settings.StatedImage{
				Image: image, Architectures: arch.Named(w.Spec.ImageArchitectures[image]...), Object: at,
				Field: "spec.imageArchitectures[" + image + "]", MayBeUnused: true,
			})
		}
	}
	for _, one := range flags {
		out = append(out, settings.StatedImage{Image: one.Image, Architectures: arch.Named(one.Architectures...)})
	}
	return out
}

// readExceptions reads spec.findings of the configurations.
func (c *Config) readExceptions(main, beside chosen) finding.List {
	var found finding.List
	read := func(o chosen, stated map[string]v1alpha1.FindingSeverity) {
		for _, id := range slices.Sorted(maps.Keys(stated)) {
			field := fieldpath.Join("spec.findings", id)
			one := finding.Exception{
				ID: finding.ID(id), To: finding.Severity(strings.ToLower(string(stated[id]))), By: finding.BySpec,
				At: o.At, Field: field, Line: o.Line(field),
			}
			found = append(found, one.Check()...)
			c.Exceptions = append(c.Exceptions, one)
		}
	}
	if main.Object != nil {
		read(main, c.Spec.Findings)
	}
	if beside.Object != nil {
		read(beside, c.Workloads.Spec.Findings)
	}
	return found
}

// join adds the options of a WorkloadArchitectures. What both it and the GoldenImages, main,
// can state must be the same; main is nil if there is none.
func (c *Config) join(o object.Object, main *object.Object) finding.List {
	tree, found := treeOf(o)
	if found.Failed() {
		return found
	}
	decoded, err := v1alpha1.DecodeWorkloadArchitectures(tree)
	found = append(object.DuplicateKeys(o), invalid(o, err)...)
	if found.Failed() {
		return found
	}
	c.Workloads = decoded
	if c.GoldenImages == nil {
		c.GoldenImages = &v1alpha1.GoldenImages{TypeMeta: decoded.TypeMeta, ObjectMeta: decoded.ObjectMeta, Spec: decoded.Spec.Golden()}
		return found
	}
	spec, _ := tree["spec"].(map[string]any)
	mine, theirs := c.Spec, decoded.Spec.Golden()
	for _, shared := range []struct {
		field string
		same  bool
	}{
		{"inputs", slices.Equal(mine.Inputs, theirs.Inputs)},
		{"registry", reflect.DeepEqual(mine.Registry, theirs.Registry)},
		{"lock", reflect.DeepEqual(mine.Lock, theirs.Lock)},
	} {
		if _, stated := spec[shared.field]; !stated || shared.same {
			continue
		}
		f := finding.Finding{
			ID: finding.ConfigInvalid, Severity: finding.Error, Object: o.At, Field: "spec." + shared.field,
			Line: o.Line("spec." + shared.field),
			Text: fmt.Sprintf("the %s of the input counts for both, and its spec.%s is another one", main.At.Kind, shared.field),
			Do:   fmt.Sprintf("write spec.%s into the %s alone", shared.field, main.At.Kind),
		}
		if main.At.File != "" {
			f.Do = fmt.Sprintf("write spec.%s into %s (%s) alone", shared.field, main.At, console.Escape(main.At.File))
		}
		found = append(found, f)
	}
	return found
}

// restrict takes from the configurations of the input what a stranger may not state.
func (c *Config) restrict(s Source, main, beside chosen) finding.List {
	var found finding.List
	add := func(o chosen, ignored, facts []rule) {
		for _, rule := range facts {
			c.facts = append(c.facts, fmt.Sprintf("%s of %s", rule.Field, o.NameAndLocation()))
		}
		if len(ignored) == 0 {
			return
		}
		names := make([]string, len(ignored))
		for i, rule := range ignored {
			names[i] = rule.Field
		}
		found = append(found, finding.Finding{
			ID: finding.SettingUntrusted, Severity: finding.Info, Object: o.At, Field: names[0], Line: o.Line(names[0]),
			Text: "--untrusted ignores settings of the checked commit, which could hide an error: " + strings.Join(names, ", "),
			Do:   "state them with flags, in a file outside of the tree (--config), or in the commit of --base",
		})
	}
	if main.ofCommit {
		if s.Options.FleetRelease != "" {
			c.Spec.Release = "" // that of the Fleet counts
		}
		var standard v1alpha1.GoldenImagesSpec
		standard.Default()
		ignored, facts := restrictFields(&c.Spec, &standard, goldenImagesRules)
		add(main, ignored, facts)
	}
	if beside.ofCommit {
		var standard v1alpha1.WorkloadArchitecturesSpec
		standard.Default()
		ignored, facts := restrictFields(&c.Workloads.Spec, &standard, workloadsRules)
		add(beside, ignored, facts)
		if main.Object == nil {
			c.Spec = c.Workloads.Spec.Golden()
		}
	}
	if c.StatesNodes = s.Policy.StatesNodes || len(c.PolicyFacts) > 0; !c.StatesNodes {
		return found
	}
	if main.ofCommit {
		c.Spec.Cluster = v1alpha1.ClusterSpec{}
	}
	if beside.ofCommit {
		c.Workloads.Spec.ClusterArchitectures = nil
	}
	c.facts = slices.DeleteFunc(c.facts, func(fact string) bool { return !isRelease(fact) })
	return found
}

func isRelease(fact string) bool { return strings.HasPrefix(fact, "spec.release ") }
