package yamledit_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yaml/yamledit"
	"github.com/goldenarch/goldenarch/transformers"
)

// drawCR draws a CR with templates, as far as the transformers look into it.
func drawCR(r *rand.Rand) *yaml.Node {
	field := func(list ...*yaml.Node) *yaml.Node {
		return &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap, Content: list}
	}
	var templates []*yaml.Node
	for i := range r.IntN(4) {
		metadata := field(text("name"), text(fmt.Sprintf("app-%d", i)))
		if r.IntN(2) == 0 {
			metadata.Content = append(metadata.Content, text("annotations"), annotations(r))
		}
		template := field(text("metadata"), metadata)
		if r.IntN(4) > 0 {
			template.Content = append(template.Content, text("spec"), field(text("schedule"), text("0 1 * * *"), text("template"), drawTree(r, 2)))
		}
		templates = append(templates, template)
	}
	spec := field()
	if len(templates) > 0 {
		spec.Content = append(spec.Content, text("dataImportCronTemplates"), &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq, Content: templates})
	}
	switch r.IntN(4) {
	case 0:
		spec.Content = append(spec.Content, text("featureGates"), field())
	case 1:
		spec.Content = append([]*yaml.Node{
			text("featureGates"),
			field(text("enableMultiArchBootImageImport"), other("false", yaml.NodeTagBool), text("x"), other("true", yaml.NodeTagBool)),
		},
			spec.Content...)
	case 2:
		spec.Content = append(spec.Content, text("workloads"), field(text("nodePlacement"), field(text("nodeSelector"), field(text("a"), text("b")))))
	}
	out := field(text("apiVersion"), text("hco.kubevirt.io/v1beta1"), text("kind"), text("HyperConverged"), text("metadata"),
		field(text("name"), text("kubevirt-hyperconverged")), text("spec"), spec)
	if r.IntN(6) == 0 && len(spec.Content) == 0 {
		out.Content[len(out.Content)-1] = other("null", yaml.NodeTagNull)
	}
	return out
}

func annotations(r *rand.Rand) *yaml.Node {
	out := &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap}
	for key, value := range map[string]string{
		"ssp.kubevirt.io/dict.architectures": "arm64", "goldenarch.dev/claim": "arm64", "dataimportcrontemplate.kubevirt.io/enable": "false",
		"goldenarch.dev/disabled-because": "taken-over", "a.example.com/b": texts[r.IntN(len(texts))],
	} {
		if r.IntN(2) == 0 {
			out.Content = append(out.Content, text(key), text(value))
		}
	}
	return out
}

// drawEdits draws what the plan may decide about a CR.
func drawEdits(r *rand.Rand, templates int) transformers.Edits {
	var out transformers.Edits
	for i := range templates {
		d := transformers.Template{Index: i}
		switch r.IntN(4) {
		case 0:
			d.Claim = &transformers.Claim{Value: "amd64,arm64", Written: r.IntN(2) == 0}
		case 1:
			d.Claim = &transformers.Claim{}
		}
		d.Switch = []transformers.Switch{transformers.Leave, transformers.Disable, transformers.Enable, transformers.Remove}[r.IntN(4)]
		d.Because = "no-supported-architecture"
		out.Templates = append(out.Templates, d)
	}
	if r.IntN(4) == 0 {
		out.Templates = append(out.Templates,
			transformers.Template{Index: -1, Name: "fedora-image-cron", Switch: transformers.Disable, Because: "no-supported-architecture"})
	}
	if r.IntN(2) == 0 {
		out.Gate = &transformers.Gate{On: r.IntN(2) == 0, Place: []transformers.GatePlace{transformers.GateV1beta1, transformers.GateNowhere}[r.IntN(2)]}
	}
	if r.IntN(4) == 0 {
		out.SingleArchitecture = "amd64"
	}
	out.Defaults = transformers.Defaults{Bind: r.IntN(4) == 0, Retention: r.IntN(4) == 0}
	return out
}

// ours matches the lines that an edit may take out: goldenarch's own, those that hold
// nothing yet, and those with several values in brackets.
var ours = regexp.MustCompile(`dict\.architectures|goldenarch\.dev/|/enable|enableMultiArch|bind\.immediate|[{}\[\]]|null|Null|~|` +
	`annotations|featureGates|:\s*(#.*)?$|:\s*&`)

// TestAnyCR: whatever the plan decides about a CR in whatever style, the text says what
// the edited tree says, only lines that the edits are about change, and a second run
// changes nothing.
func TestAnyCR(t *testing.T) {
	t.Parallel()
	refused := 0
	for seed := range cases(t) {
		r := rand.New(rand.NewPCG(seed, 4))
		tree := drawCR(r)
		templates := strings.Count(asText(t, tree), "name: app-")
		before := newStyled(r).document(tree)
		edits := drawEdits(r, templates)
		got, err := applied(t, before, edits)
		if shared := (&yamledit.Error{}); errors.As(err, &shared) && strings.Contains(shared.Problem, "alias") {
			refused++
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, before)
		}
		keeps(t, seed, before, string(got))
		removed := false
		for _, d := range edits.Templates {
			removed = removed || d.Switch == transformers.Remove
		}
		if line, ok := lost(before, string(got)); ok && !removed && !ours.MatchString(line) {
			t.Fatalf("seed %d: the line %q is gone:\n%s\n---\n%s", seed, line, before, got)
		}
		if removed {
			continue // the indexes are those of other templates now
		}
		for i := range edits.Templates { // what was added is there now
			if edits.Templates[i].Index < 0 {
				edits.Templates = edits.Templates[:i]
				break
			}
		}
		again, err := applied(t, string(got), edits)
		if err != nil || !bytes.Equal(again, got) {
			t.Fatalf("seed %d: the second run (%v):\n%s\n---\n%s", seed, err, got, again)
		}
	}
	if uint64(refused)*10 > cases(t) {
		t.Errorf("%d edits were refused", refused)
	}
}

// applied makes edits in a text, as a run does.
func applied(t *testing.T, before string, edits transformers.Edits) ([]byte, error) {
	t.Helper()
	want := parsed(t, before)
	expand(want)
	if err := transformers.Apply(yaml.NewRNode(want), "v1beta1", edits); err != nil {
		t.Fatal(err)
	}
	return rewritten([]byte(before), want)
}

// lost returns the first line of a text that another has less often, comments beside
// values left out.
func lost(before, after string) (string, bool) {
	count := map[string]int{}
	anyBreak := strings.NewReplacer("\r\n", "\n", "\r", "\n")
	before, after = anyBreak.Replace(before), anyBreak.Replace(after)
	for line := range strings.SplitSeq(after, "\n") {
		count[line]++
	}
	for line := range strings.SplitSeq(before, "\n") {
		for _, now := range []string{line, line + ",", strings.TrimSuffix(line, ",")} { // in brackets the commas of neighbours change
			if count[now]--; count[now] >= 0 {
				line = ""
				break
			}
		}
		if line != "" {
			return line, true
		}
	}
	return "", false
}
