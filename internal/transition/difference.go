package transition

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/operators/cdi"
	"github.com/goldenarch/goldenarch/internal/operators/sequence"
)

// difference is what lies between two states.
type difference struct{ before, after sequence.State }

// related returns the objects of both states that belong to golden images, each once. SSP
// has many more DataSources, from its common templates, which point at nothing.
func related(states ...sequence.State) []sequence.Object {
	objects := make([][]sequence.Object, len(states))
	for i, s := range states {
		objects[i] = s.Objects()
	}
	names := namesOf(objects)
	seen := map[sequence.Key]bool{}
	var out []sequence.Object
	for i, s := range states {
		for _, o := range objects[i] {
			if seen[o.Key] || o.Kind == sequence.DataSource && !names[o.Namespace+"/"+o.Name] || !isGolden(o, s) {
				continue
			}
			seen[o.Key] = true
			out = append(out, o)
		}
	}
	return out
}

// isGolden reports whether a DataVolume, a claim or a snapshot is an import of a cron. The
// others belong to machines, or to somebody.
func isGolden(o sequence.Object, s sequence.State) bool {
	if !holdsData(o.Kind) || o.Labels[cdi.CronLabel] != "" {
		return true
	}
	for _, owner := range o.Owners {
		kind, name, _ := strings.Cut(owner, "/")
		if volume, ok := s.Get(sequence.Key{Kind: kind, Namespace: o.Namespace, Name: name}); ok && volume.Labels[cdi.CronLabel] != "" {
			return true
		}
	}
	return false
}

// namesOf are the DataSources that a cron manages or did manage, and those that point at them.
func namesOf(states [][]sequence.Object) map[string]bool {
	out := map[string]bool{}
	var sources []sequence.Object
	for _, objects := range states {
		for _, o := range objects {
			switch {
			case o.Kind == sequence.Cron:
				out[o.Namespace+"/"+o.Spec.ManagedDataSource] = true
			case o.Kind == sequence.DataSource && o.Labels[cdi.CronLabel] != "":
				out[o.Namespace+"/"+o.Name] = true
			case o.Kind == sequence.DataSource:
				sources = append(sources, o)
			}
		}
	}
	for _, o := range sources {
		if at := o.PointsAt(); at.Kind == sequence.DataSource && out[at.Namespace+"/"+at.Name] {
			out[o.Namespace+"/"+o.Name] = true
		}
	}
	return out
}

// compare lists the objects that a step makes, changes, leaves without an owner and deletes.
func (d difference) compare(out *Step) {
	for _, o := range related(d.before, d.after) {
		was, had := d.before.Get(o.Key)
		is, has := d.after.Get(o.Key)
		switch {
		case !had:
			out.Appear = append(out.Appear, object(is, appears(is)))
		case !has:
			out.Disappear = append(out.Disappear, object(was, d.disappears(was)))
		default:
			why := changed(was, is)
			if is.Kind == sequence.Claim && was.Made != is.Made && orphaned(is, d.after) != "" {
				why = "CDI deletes it with its DataImportCron, and imports it again for its DataVolume, which has no clean-up label and stays. " +
					"If a new image is imported before this step, that does not happen"
			}
			if why != "" {
				out.Change = append(out.Change, object(is, why))
			}
		}
		if has {
			if why := orphaned(is, d.after); why != "" {
				out.Remain = append(out.Remain, object(is, why))
			}
			if why := d.gap(was, is, had); why != "" {
				out.Gaps = append(out.Gaps, object(is, why))
			}
		}
	}
}

func appears(o sequence.Object) string {
	cron := o.Labels[cdi.CronLabel]
	switch {
	case o.Kind == sequence.Cron:
		return fmt.Sprintf("SSP makes it for DataSource %q", o.Spec.ManagedDataSource)
	case o.Kind == sequence.DataSource && o.PointsAt().Kind == sequence.DataSource:
		return fmt.Sprintf("SSP makes it: it points at DataSource %q", o.PointsAt().Name)
	case o.Kind == sequence.DataSource && o.BySSP:
		return fmt.Sprintf("SSP makes it, and DataImportCron %q fills it", cron)
	case o.Kind == sequence.DataSource:
		return fmt.Sprintf("CDI makes it for DataImportCron %q", cron)
	case o.Kind == sequence.DataVolume:
		return fmt.Sprintf("CDI imports the image of DataImportCron %q", cron)
	case o.Kind == sequence.Snapshot:
		return fmt.Sprintf("CDI keeps the import of DataImportCron %q as a snapshot", cron)
	default:
		return fmt.Sprintf("the volume of the import of DataImportCron %q", cron)
	}
}

// disappears says who deletes an object.
func (d difference) disappears(o sequence.Object) string {
	cron := o.Labels[cdi.CronLabel]
	_, cronStays := d.after.Get(sequence.Key{Kind: sequence.Cron, Namespace: o.Namespace, Name: cron})
	_, snapshot := d.after.Get(sequence.Key{Kind: sequence.Snapshot, Namespace: o.Namespace, Name: o.Name})
	switch {
	case o.Kind == sequence.Cron:
		return "SSP deletes it: no template wants it any more"
	case o.Kind == sequence.DataSource && o.BySSP:
		return "SSP deletes it: no template of this architecture is left"
	case snapshot && o.Kind != sequence.Snapshot:
		return "CDI keeps the import as a snapshot, and deletes the volume"
	case !cronStays && o.Labels[cdi.CleanupLabel] == "true":
		return fmt.Sprintf("CDI deletes it together with DataImportCron %q: retentionPolicy None", cron)
	case len(o.Owners) > 0:
		return fmt.Sprintf("it goes with its %s", strings.Join(o.Owners, ", "))
	case cronStays:
		return fmt.Sprintf("DataImportCron %q keeps fewer imports", cron)
	default:
		return "CDI deletes it"
	}
}

// changed says what differs in an object; "" if nothing does that matters.
func changed(was, is sequence.Object) string {
	var parts []string
	if was.Made != is.Made {
		if was.Kind == sequence.Cron {
			parts = append(parts, "SSP deletes it and creates it again: its spec changes, and a spec is immutable")
		} else {
			parts = append(parts, "it is deleted and created again")
		}
	}
	if from, to := was.PointsAt(), is.PointsAt(); from != to {
		parts = append(parts, fmt.Sprintf("it points at %s instead of %s", target(to), target(from)))
	}
	for _, label := range []struct{ key, name string }{
		{cdi.CronLabel, "its DataImportCron"}, {cdi.CleanupLabel, "the clean-up label"}, {cdi.ArchitectureLabel, "the architecture label"},
	} {
		if from, to := was.Labels[label.key], is.Labels[label.key]; from != to {
			parts = append(parts, fmt.Sprintf("%s is %q instead of %q", label.name, to, from))
		}
	}
	if label := is.Labels[cdi.ArchitectureLabel]; is.Kind == sequence.DataSource && is.PointsAt().Kind != sequence.DataSource &&
		label != "" && was.PointsAt().Kind == sequence.DataSource {
		parts = append(parts, fmt.Sprintf("the architecture label %q stays, although nothing chose an architecture", label))
	}
	return strings.Join(parts, "; ")
}

func target(k sequence.Key) string {
	if k.Kind == "" {
		return "nothing"
	}
	return k.Kind + "/" + k.Name
}

// orphaned says why nothing looks after an object any more; "" if something does.
func orphaned(o sequence.Object, s sequence.State) string {
	cron := o.Labels[cdi.CronLabel]
	if o.Kind == sequence.Cron || cron == "" || o.Kind == sequence.DataSource && o.BySSP {
		return ""
	}
	if _, there := s.Get(sequence.Key{Kind: sequence.Cron, Namespace: o.Namespace, Name: cron}); there {
		return ""
	}
	if len(o.Owners) > 0 {
		return fmt.Sprintf("%s owns it, and stays", strings.Join(o.Owners, ", "))
	}
	return fmt.Sprintf("its DataImportCron %q is gone, and CDI deletes only what has the clean-up label", cron)
}

// gap says why no machine can be created from a DataSource while a step runs.
func (d difference) gap(was, is sequence.Object, had bool) string {
	if is.Kind != sequence.DataSource {
		return ""
	}
	end := resolve(d.after, is)
	data, there := d.after.Get(end)
	switch {
	case !there && had && !d.before.Has(resolve(d.before, was)):
		return "" // it was not ready before
	case !there:
		return "nothing fills it: " + target(end) + " does not exist"
	case !isNew(d.before, data) && had && was.Made != is.Made:
		return "it is deleted, and CDI creates it again"
	case !isNew(d.before, data):
		return ""
	case had && d.before.Has(resolve(d.before, was)):
		return fmt.Sprintf("it is not ready, or still has the earlier image, until the import of %s ends", target(end))
	default:
		return fmt.Sprintf("it is not ready until the import of %s ends", target(end))
	}
}

// isNew reports whether a state did not have this very object.
func isNew(s sequence.State, o sequence.Object) bool {
	was, had := s.Get(o.Key)
	return !had || was.Made != o.Made
}

// resolve follows a DataSource to the claim or snapshot that it gives.
func resolve(s sequence.State, o sequence.Object) sequence.Key {
	at := o.PointsAt()
	if at.Kind == sequence.DataSource {
		next, ok := s.Get(at)
		if !ok {
			return at
		}
		return next.PointsAt()
	}
	return at
}

// waits are the commands that wait until everything is imported.
func waits(out Step, after sequence.State) []string {
	crons := map[string][]string{} // by namespace
	for _, o := range slices.Concat(out.Appear, out.Change) {
		if o.Kind == sequence.Cron {
			crons[o.Namespace] = append(crons[o.Namespace], "dataimportcron/"+o.Name)
		}
	}
	commands := []string{}
	wait := func(condition string, byNamespace map[string][]string) {
		for _, namespace := range slices.Sorted(maps.Keys(byNamespace)) {
			words := []string{"oc", "wait", "-n", namespace, "--for=condition=" + condition, "--timeout=60m"}
			commands = append(commands, console.Command(append(words, byNamespace[namespace]...)...))
		}
	}
	wait("UpToDate", crons)
	sources := map[string][]string{}
	for _, o := range out.Gaps {
		if is, ok := after.Get(sequence.Key{Kind: o.Kind, Namespace: o.Namespace, Name: o.Name}); ok && after.Has(resolve(after, is)) {
			sources[o.Namespace] = append(sources[o.Namespace], "datasource/"+o.Name)
		}
	}
	wait("Ready", sources)
	return commands
}
