package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/pipeline"
	"github.com/goldenarch/goldenarch/internal/report"
)

// comparesWithBase reports whether the check says what differs from the commit of --base. The base of a stranger's commit
// has the policy.
func (c *checker) comparesWithBase() bool { return c.untrusted.policy != "" && !c.untrusted.on }

// since checks the same paths in the commit of --base, and returns what the present check has more and less.
func (c *checker) since(ctx context.Context, paths []string, function pipeline.Function, now report.Check) (*report.Since, error) {
	u := &c.untrusted
	out := &report.Since{Base: u.ref}
	var there []string
	for _, path := range c.crPaths.pathsOr(paths) {
		if at := u.inPolicy(path); at != "" && path != manifest.Stdin {
			there = append(there, at)
		}
	}
	c.useFilesOfBase()
	dir := function.WorkDir
	function.WorkDir = u.placeInCommit(dir)
	var before report.Check
	if len(there) > 0 || len(c.crPaths) > 0 {
		var err error
		if before, err = c.checked(ctx, there, function); err != nil {
			return nil, err
		}
	}
	out.Worse = without(now.Findings, before.Findings)
	out.Better = without(before.Findings, now.Findings)
	return out, nil
}

// useFilesOfBase replaces each file of a flag that the commit of --base has with the one there.
func (c *checker) useFilesOfBase() {
	files := []*string{&c.config, &c.live, &c.facts, &c.fleet}
	c.nodes, c.crPaths = slices.Clone(c.nodes), slices.Clone(c.crPaths)
	for i := range c.nodes {
		files = append(files, &c.nodes[i])
	}
	for i := range c.crPaths {
		files = append(files, &c.crPaths[i].File)
	}
	for _, file := range files {
		if at := c.untrusted.inPolicy(*file); *file != "" && *file != manifest.Stdin && at != "" {
			*file = at
		}
	}
}

// without returns the errors and warnings of a list that another list does not have. Lines and texts do not count: they change with
// what is around.
func without(list, other finding.List) finding.List {
	left := map[string]int{}
	for _, f := range other {
		left[sinceKey(f)]++
	}
	var out finding.List
	for _, f := range list {
		if key := sinceKey(f); left[key] > 0 {
			left[key]--
		} else if f.Severity.AtLeast(finding.Warning) {
			out = append(out, f)
		}
	}
	return out
}

// sinceKey returns what tells two findings apart.
func sinceKey(f finding.Finding) string {
	at := f.Object
	return strings.Join([]string{
		string(f.ID), string(f.Severity), at.Cluster, at.File, at.APIVersion, at.Kind, at.Namespace, at.Name, f.Field, f.Template,
	}, "\x00")
}
