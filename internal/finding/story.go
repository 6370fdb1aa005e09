package finding

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// scope says what a run has one finding about, of the kinds that share an id.
type scope int

const (
	// eachFact keeps the findings apart: they share only the id.
	eachFact scope = iota
	// eachTemplate is one finding for each template of a CR.
	eachTemplate
	// eachObject is one finding for each object.
	eachObject
	// eachCluster is one finding for each cluster and fix. Where one about the cluster is an error, the others go with it.
	eachCluster
)

// scopes are those of the ids of which a run has one finding about several facts.
var scopes = map[ID]scope{NodeLeftOut: eachObject, ClaimNarrowed: eachTemplate, PredefinedUnknown: eachCluster, MachineDiskOther: eachObject}

// storyKey is what a finding of a story is about.
type storyKey struct {
	id              ID
	object          Object
	field, template string
}

// key returns what a finding of the story is about, false if it stands alone.
func (f Finding) storyKey() (storyKey, bool) {
	out := storyKey{id: f.ID, object: f.Object}
	switch scopes[f.ID] {
	case eachTemplate:
		if out.template = f.Template; f.Template == "" {
			out.field = f.Field
		} else if list, element, ok := strings.Cut(f.Field, "emplates["); ok { // one of several with the same name
			at, _, _ := strings.Cut(element, "]")
			out.field = list + at
		}
	case eachObject:
	case eachCluster:
		out.object, out.field = Object{Cluster: f.Object.Cluster}, f.Do
	case eachFact:
		return out, false
	}
	return out, true
}

// Stories returns the findings as users see them: with the ids of their stories, and those that are about the same as one.
func (l List) Stories() List {
	out := make(List, 0, len(l))
	at, more := map[storyKey]int{}, map[storyKey]int{}
	failed := map[string]bool{} // by the cluster
	for _, f := range l {
		if scopes[f.ID.Public()] == eachCluster && f.Severity == Error {
			failed[f.Object.Cluster] = true
		}
	}
	for _, f := range l {
		f.ID = f.ID.Public()
		key, merges := f.storyKey()
		i, known := at[key]
		switch {
		case scopes[f.ID] == eachCluster && f.Severity != Error && failed[f.Object.Cluster]:
		case !merges:
			out = append(out, f)
		case known && more[key] < mostParts:
			out[i], more[key] = out[i].And(f), more[key]+1
		case known:
			more[key]++
			if f.rank() < out[i].rank() {
				out[i].Severity = f.Severity
			}
		default:
			at[key] = len(out)
			out = append(out, f)
		}
	}
	for key, n := range more {
		if n > mostParts {
			out[at[key]].Text += fmt.Sprintf(". There are %d more findings about the same", n-mostParts)
		}
	}
	return out
}

// mostParts is how many other findings one says. Of more, it says the number: a hostile input has thousands.
const mostParts = 8

// And returns a finding that also says what another one about the same does. The more severe one comes first.
func (f Finding) And(other Finding) Finding {
	if other.rank() < f.rank() {
		f, other = other, f
	}
	if f.Severity != Error || other.Severity == Error { // what is wrong beside an error goes with it
		f.Text, f.Do, f.Run = sentences(f.Text, other.Text), sentences(f.Do, other.Do), cmp.Or(f.Run, other.Run)
	}
	for _, one := range other.Changes {
		if !slices.Contains(f.Changes, one) {
			f.Changes = append(slices.Clip(f.Changes), one)
		}
	}
	if f.Current == nil && f.Proposed == nil {
		f.Current, f.Proposed = other.Current, other.Proposed
	}
	f.Final = f.Final || other.Final
	return f
}

// sentences joins two texts, unless the first has what the second says.
func sentences(text, more string) string {
	switch {
	case more == "" || strings.Contains(text, more):
		return text
	case text == "":
		return more
	}
	return strings.TrimSuffix(text, ".") + ". " + capitalized(more)
}
