package forecast

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// LiveTemplate compares a template of the live CR's status with the prediction.
type LiveTemplate struct {
	Template string `json:"template"`
	// Now is what the cluster has, and Then is what it will have.
	Now     string `json:"now"`
	Then    string `json:"then"`
	Changed bool   `json:"changed"`
}

// The values for a template without a list of architectures.
const (
	absent      = "nothing"
	undeployed  = "not deployed"
	anyPlatform = "one import for any architecture"
)

// compared compares what HCO has written into the status of the live CR with what it will
// write there.
func compared(in Input, merged []hyperconverged.Merged) []LiveTemplate {
	if in.Live == nil {
		return nil
	}
	release := in.LiveRelease
	gate := in.Live.CR.At(release).Gate.On()
	now, then := byName(in.Live.Templates), byName(merged)
	names := make([]string, 0, len(now)+len(then))
	for _, m := range slices.Concat(in.Live.Templates, merged) {
		names = append(names, m.Name())
	}
	slices.Sort(names)
	out := []LiveTemplate{}
	for _, name := range slices.Compact(names) {
		was, is := now[name]
		will, stays := then[name]
		t := LiveTemplate{Template: name, Now: imports(was, is, gate), Then: imports(will, stays, in.CR.Gate.On())}
		if is && stays {
			if part := differs(was, will); part != "" {
				t.Then += " (" + part + ")"
			}
		}
		t.Changed = t.Now != t.Then
		out = append(out, t)
	}
	return out
}

func byName(list []hyperconverged.Merged) map[string]hyperconverged.Merged {
	out := map[string]hyperconverged.Merged{}
	for _, m := range list {
		out[m.Name()] = m
	}
	return out
}

// imports returns which architectures the cluster imports for a template.
func imports(m hyperconverged.Merged, there, gate bool) string {
	claim, has := m.Annotation(hyperconverged.ClaimAnnotation)
	switch {
	case !there:
		return absent
	case m.Withheld:
		return undeployed
	case !gate || !has || claim == "":
		return anyPlatform
	default:
		parts := strings.Split(claim, ",")
		slices.Sort(parts)
		return strings.Join(slices.Compact(parts), ",")
	}
}

// differs says what changes in the spec; "" if nothing changes. If something does, SSP
// deletes the DataImportCron and makes a new one (ssp reconcile.go, line 714).
func differs(was, will hyperconverged.Merged) string {
	switch {
	case asJSON(was.Source()) != asJSON(will.Source()):
		return "another source"
	case was.ManagedDataSource() != will.ManagedDataSource():
		return "another DataSource"
	case asJSON(was.Spec) != asJSON(will.Spec):
		return "another spec"
	default:
		return ""
	}
}

func asJSON(value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	return string(data)
}
