package configuration

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/fieldpath"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/object"
)

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

// ExceptionsOf returns the exceptions that annotations of objects state. Of an untrusted
// input, only those count that the policy has as well.
func (s Source) ExceptionsOf(items []*yaml.RNode) (finding.Exceptions, finding.List) {
	own, found := annotated(items)
	if s.Policy == nil || len(own) == 0 {
		return own, found
	}
	trusted, _ := annotated(s.Policy.Items)
	var out finding.Exceptions
	reported := map[finding.Object]bool{}
	for _, one := range own {
		switch {
		case slices.ContainsFunc(trusted, one.Same):
			out = append(out, one)
		case !reported[one.At]:
			reported[one.At] = true
			found = append(found, finding.Finding{
				ID: finding.SettingUntrusted, Severity: finding.Info, Object: one.At, Field: one.Field, Line: one.Line,
				Text: fmt.Sprintf("--untrusted ignores the annotation %s of the checked commit, which could hide an error", finding.IgnoreAnnotation),
				Do:   "state it in spec.findings of a file outside of the tree (--config), or have it in the commit of --policy-ref",
			})
		}
	}
	return out, found
}

// annotated reads the annotations of items.
func annotated(items []*yaml.RNode) (finding.Exceptions, finding.List) {
	var out finding.Exceptions
	var found finding.List
	for _, o := range object.All(items) {
		node := object.NodeAt(o.Node, "metadata", "annotations", finding.IgnoreAnnotation)
		if node == nil {
			continue
		}
		const field = "metadata.annotations[" + finding.IgnoreAnnotation + "]"
		one := finding.Exception{To: finding.Ignored, By: finding.IgnoreAnnotation, About: o.At, At: o.At, Field: field, Line: o.Line(field)}
		ids, what := finding.ParseIgnore(node.Value)
		if what != "" {
			found = append(found, finding.IgnoreInvalid(one, node.Value, what))
			continue
		}
		for _, id := range ids {
			one.ID = id
			if wrong := one.Check(); len(wrong) > 0 {
				found = append(found, wrong...)
				continue
			}
			out = append(out, one)
		}
	}
	return out, found
}
