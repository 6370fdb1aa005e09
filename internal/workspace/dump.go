package workspace

import (
	"path/filepath"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/manifest/kinds"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// takeDump takes the CR of a cluster that a user names outside of Git for both: what the cluster shows in its status, and the CR to
// check, without what only a cluster sets.
func (c *Checker) takeDump(function *engine.Function, t target, items []*yaml.RNode) {
	if !t.named || c.Base.Untrusted || !isOutsideOfGit(t.Path) {
		return
	}
	var dump *yaml.RNode
	file := ""
	for _, o := range object.All(items) {
		status := object.NodeAt(o.Node, "status")
		switch {
		case !kinds.IsCR(o) || status == nil || len(status.Content) == 0:
		case dump != nil || o.IsWrapped() || o.IsText():
			return
		default:
			dump, file = o.Node, o.At.File
		}
	}
	if dump == nil {
		return
	}
	if function.Live == nil {
		function.Live = []*yaml.RNode{dump.Copy()}
		if all, err := manifest.ReadFile(filepath.FromSlash(file)); err == nil { // with what the operators made of it
			function.Live = all
		}
	}
	object.RemoveServerFields(dump.YNode())
	if gates := object.NodeAt(dump, "spec", "featureGates"); gates != nil && gates.Kind == yaml.MappingNode && len(gates.Content) == 0 {
		yamlnode.Remove(object.NodeAt(dump, "spec"), "featureGates") // an upgrade left it, and HCO reads it as empty (hco #4549)
	}
	function.Dump, function.FixCommand = true, ""
}

// isOutsideOfGit reports whether no Git work tree holds a path.
func isOutsideOfGit(path string) bool {
	real, err := files.Real(path)
	return err == nil && files.GitRoot(filepath.Dir(real)) == "" && files.GitRoot(real) == ""
}
