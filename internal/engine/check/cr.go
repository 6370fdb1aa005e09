package check

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/engine/input"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest/kinds"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
)

// CR is a CR as it is in the input.
type CR struct {
	Object finding.Object `json:"object"`
	// TemplatesPath is the path of its list of templates. Templates are their names, in
	// order. Both are empty for a CR that cannot be read.
	TemplatesPath string   `json:"-"`
	Templates     []string `json:"-"`
	// Changes are the paths of the fields that rendering changes.
	Changes []string `json:"changes"`

	path string     // path in its item
	node *yaml.Node // the node before the run, for line numbers
	data []byte     // the CR as JSON
}

// readCRs saves the CRs before the run puts others in their places.
func readCRs(items []*yaml.RNode, crs *hyperconverged.Parsed) []CR {
	var out []CR
	for _, o := range object.All(items) {
		if !kinds.IsCR(o) {
			continue
		}
		top := *o.Node.YNode() // as in [Snapshot]
		cr := CR{Object: o.At, path: o.Path, node: &top}
		cr.read(o, crs)
		out = append(out, cr)
	}
	return out
}

// read reads as much of a CR as it can. The run reports the rest.
func (cr *CR) read(o object.Object, crs *hyperconverged.Parsed) {
	data, err := input.JSON(o, crs)
	if err != nil {
		return
	}
	cr.data, _ = crs.Filled(data)
	if version, err := hyperconverged.ParseVersion(o.At.APIVersion); err == nil {
		cr.TemplatesPath = fieldpath.Below(o.Path, version.Paths().Templates.String())
	}
	model, _ := crs.Parse(cr.data)
	if model == nil {
		return
	}
	for _, t := range model.Templates {
		cr.Templates = append(cr.Templates, t.Name())
	}
}

// tree returns the fields of the CR; nil for one that cannot be read. They take six times the memory
// of the text, so nothing keeps them.
func (cr *CR) tree() map[string]any {
	var out map[string]any
	if json.Unmarshal(cr.data, &out) != nil {
		return nil
	}
	return out
}

// changesTo returns the fields in which another form of the CR differs.
func (cr *CR) changesTo(other CR) []change {
	if bytes.Equal(cr.data, other.data) {
		return nil
	}
	return changedFields(cr.tree(), other.tree(), "")
}

// appliedOnServer names what applies the CR on the server side, as ask says of the files; "" if nothing is known to. An
// option of Argo CD on the CR wins over that of its Application (argo-cd gitops-engine
// pkg/sync/sync_context.go: shouldUseServerSideApply), and says nothing to Flux.
func (cr *CR) appliedOnServer(ask func(files []string, argoCD bool) string, files []string) string {
	options := object.TextAt(yaml.NewRNode(cr.node), "metadata", "annotations", "argocd.argoproj.io/sync-options")
	off := strings.Contains(options, "ServerSideApply=false")
	switch {
	case !off && strings.Contains(options, "ServerSideApply=true"):
		return "Argo CD, as its sync-options say,"
	case ask == nil:
		return ""
	}
	return ask(files, !off)
}

// places indexes the objects and findings: an input may have thousands of objects.
type places struct {
	crs      map[finding.Object]int
	findings map[finding.Object][]int
	indexed  int // findings
}

// firsts returns the index of the first element with each key.
func firsts[E any, K comparable](list []E, keyOf func(E) K) map[K]int {
	out := make(map[K]int, len(list))
	for i, element := range slices.Backward(list) {
		out[keyOf(element)] = i
	}
	return out
}

func identityOf(cr CR) string { return kinds.Identity(cr.Object) }
