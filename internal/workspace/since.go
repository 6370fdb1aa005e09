package workspace

import (
	"context"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/report"
)

// since checks the same paths in the commit of --base, and returns what the present check has more and less.
func (c *Checker) since(ctx context.Context, paths []string, function engine.Function, now report.Check) (*report.Since, error) {
	u := &c.Base
	out := &report.Since{Base: u.Ref}
	there := u.pathsInPolicy(c.CRPaths.PathsOr(paths))
	c.useFilesOfBase()
	dir := function.WorkDir
	function.WorkDir = u.placeInCommit(dir)
	var before report.Check
	if len(there) > 0 || len(c.CRPaths) > 0 {
		var err error
		if before, err = c.checked(ctx, there, function); err != nil {
			return nil, err
		}
	}
	out.Worse = without(now.Findings, before.Findings)
	out.Better = without(before.Findings, now.Findings)
	for i, f := range out.Better { // nobody has to follow its advice any more, which names files of the copy
		out.Better[i].Text, out.Better[i].Do = u.Shown(f.Text), ""
	}
	return out, nil
}

// useFilesOfBase replaces each file of a flag that is still to be read, and that the commit of --base has, with the one there.
func (c *Checker) useFilesOfBase() {
	files := []*string{&c.Config, &c.Live, &c.Fleet}
	c.CRPaths = slices.Clone(c.CRPaths)
	for i := range c.CRPaths {
		files = append(files, &c.CRPaths[i].File)
	}
	for _, file := range files {
		if at := c.Base.inPolicy(*file); *file != "" && *file != manifest.Stdin && at != "" {
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
