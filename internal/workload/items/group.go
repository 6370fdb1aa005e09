package items

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/workload"
)

// shownNames is how many pods or images a finding names.
const shownNames = 3

// unresolved is an image of which nothing is known, with the objects that have it.
type unresolved struct {
	finding.Finding
	answer  workload.Answer
	objects []finding.Object
}

// grouped returns the findings with one for each unresolved image, or one for all images of
// a host with the same cause: it takes one fix. It uses the memory of the list.
func grouped(found finding.List, answers map[string]workload.Answer) finding.List {
	type key struct {
		id       finding.ID
		severity finding.Severity
		text     string // the image, or the host and the cause
	}
	out := found[:0]
	var order []key
	images, hosts := map[key]*unresolved{}, map[key][]*unresolved{}
	for _, f := range found {
		reference, ok := f.Current.(string)
		if !ok || reference == "" || f.ID != finding.PodUnresolved && f.ID != finding.ManifestMissing {
			out = append(out, f)
			continue
		}
		at := key{f.ID, f.Severity, reference}
		if images[at] == nil {
			images[at] = &unresolved{Finding: f, answer: answers[reference]}
			order = append(order, at)
		}
		images[at].add(f)
	}
	for _, at := range order {
		if one := images[at]; one.answer.Cause != "" {
			host := key{at.id, at.severity, one.answer.Host + " " + one.answer.Cause}
			hosts[host] = append(hosts[host], one)
		}
	}
	for _, at := range order {
		one := images[at]
		switch shared := hosts[key{at.id, at.severity, one.answer.Host + " " + one.answer.Cause}]; {
		case len(shared) < 2:
			out = append(out, one.one())
		case shared[0] == one:
			out = append(out, ofHost(shared))
		}
	}
	return out
}

// add adds a finding about the same image. A check fails if one of them makes it fail.
func (u *unresolved) add(f finding.Finding) {
	u.Unchanged.Severity = cmp.Or(u.Unchanged.Severity, f.Unchanged.Severity)
	if !slices.Contains(u.objects, f.Object) {
		u.objects = append(u.objects, f.Object)
	}
}

// one returns the finding about the image.
func (u *unresolved) one() finding.Finding {
	f := u.Finding
	if len(u.objects) > 1 {
		f.Text += fmt.Sprintf(" (in %d objects: %s)", len(u.objects), finding.Shortened(texts(u.objects), shownNames))
	}
	return f
}

// ofHost returns the finding about images of one host with the same cause.
func ofHost(images []*unresolved) finding.Finding {
	f := images[0].Finding
	objects := map[finding.Object]bool{}
	names := make([]string, len(images))
	for i, image := range images {
		names[i], _ = image.Current.(string)
		f.Unchanged.Severity = cmp.Or(f.Unchanged.Severity, image.Unchanged.Severity)
		for _, o := range image.objects {
			objects[o] = true
		}
	}
	f.Current = nil
	f.Text = fmt.Sprintf("%d images of %s in %s are unresolved, because %s: %s. Of the first one: %s",
		len(images), images[0].answer.Host, finding.Count(len(objects), "object"), images[0].answer.Cause, finding.Shortened(names, shownNames), f.Text)
	return f
}

func texts(objects []finding.Object) []string {
	out := make([]string, len(objects))
	for i, o := range objects {
		out[i] = o.String()
	}
	return out
}
