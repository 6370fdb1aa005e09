package machine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/kubevirt"
)

// judgeDisks compares each disk with the architecture of the machine.
func (j *judged) judgeDisks() {
	for _, d := range j.Disks {
		j.judgeDisk(d)
		if len(d.Architectures) == 0 || len(j.Possible) == 0 || d.Missing != "" || !d.boots && !d.pulled {
			continue
		}
		both := j.Possible.Intersect(d.Architectures)
		f := finding.Finding{ID: finding.MachineDiskOther, Severity: finding.Error, Field: d.field}
		switch {
		case len(both) == 0:
			f.Text = fmt.Sprintf("the machine gets %s by %s, and its disk %q has %s (%s): it cannot boot from it",
				j.gets(), j.by(), d.Name, d.Architectures, d.Source)
			if d.pulled {
				f.Text = fmt.Sprintf("the machine gets %s by %s, and the nodes of that architecture find no image in its disk %q, which has %s (%s)",
					j.gets(), j.by(), d.Name, d.Architectures, d.Source)
			}
			f.Do = j.fixOfDisk(d)
			if none := j.known.lacking(d.Architectures); len(none) == len(d.Architectures) {
				f.Text += fmt.Sprintf(", and no node that may run machines has %s", none)
			} else if len(d.Architectures) == 1 {
				f.Proposed = string(d.Architectures[0])
			}
			if j.found.NodePool {
				f.Severity = finding.Warning
				f.Text = fmt.Sprintf("spec.arch selects a disk for %s, and not the architecture of the machines, which get %s by default: "+
					"they cannot boot from it", d.Architectures, j.gets())
				f.Do = "state the architecture with the annotation hypershift.openshift.io/kubevirt-vm-jsonpatch"
			}
			j.add(f)
		case len(d.Architectures) > 1 && !d.pulled && len(j.Possible) == 1:
			f.ID, f.Severity = finding.MachineDepends, finding.Warning
			f.Text = fmt.Sprintf("the machine gets %s, and boots from disk %q whose architecture is that of the node where CDI imports it, one of %s (%s)",
				j.Architecture, d.Name, d.Architectures, d.Source)
			f.Do = j.oneArchitecture(d)
			j.add(f)
		}
	}
}

// oneArchitecture says how a disk gets an architecture that does not depend on a node.
func (j *judged) oneArchitecture(d Disk) string {
	const platform = "platform.architecture of its registry source"
	switch {
	case d.of.Name == "":
		return "set " + platform
	case j.known.Facts != nil && j.known.Facts.GoldenImages.Namespace == d.of.Namespace:
		return "turn on the multi-arch gate of the HyperConverged CR, and use the DataSource of one architecture"
	default:
		return "set " + platform + " in the DataImportCron that fills the DataSource"
	}
}

// fixOfDisk returns the fix for a disk of another architecture.
func (j *judged) fixOfDisk(d Disk) string {
	other := j.diskInPlaceOf(d)
	if len(j.known.lacking(d.Architectures)) == len(d.Architectures) {
		return fmt.Sprintf("use %s, or add nodes with %s", other, d.Architectures)
	}
	if j.DecidedBy == string(kubevirt.ByPreference) {
		return fmt.Sprintf("use a preference for %s, or %s", d.Architectures, other)
	}
	if len(d.Architectures) == 1 && j.found.Spec.Architecture == "" {
		return j.patchTo(d.Architectures[0])
	}
	if len(d.Architectures) == 1 {
		return fmt.Sprintf("%s, or use %s", j.patchTo(d.Architectures[0]), other)
	}
	return "use " + other
}

// diskInPlaceOf names the DataSource of the same golden image that has the architecture of the machine, if the cluster has one.
func (j *judged) diskInPlaceOf(d Disk) string {
	if len(j.Possible) == 1 && d.of.Name != "" {
		a := string(j.Possible[0])
		bases := []string{d.of.Name}
		for _, has := range d.Architectures {
			bases = append(bases, strings.TrimSuffix(d.of.Name, "-"+string(has)))
		}
		for _, base := range bases {
			at := kubevirt.Key{Namespace: d.of.Namespace, Name: base + "-" + a}
			if one, state := j.known.find(at); state == exists && one.missing == "" && slices.Contains(one.architectures, j.Possible[0]) {
				return fmt.Sprintf("DataSource %s, which has %s", nameOf(at), a)
			}
		}
	}
	return "a disk for " + j.gets()
}

// judgeDisk reports a disk that will not exist.
func (j *judged) judgeDisk(d Disk) {
	f := finding.Finding{ID: finding.MachineDiskMissing, Field: d.field}
	switch {
	case d.Missing != "":
		f.Severity = finding.Error
		f.Text = fmt.Sprintf("disk %q will not exist (%s): %s", d.Name, d.Source, d.Missing)
	case d.Uncertain != "":
		f.Severity = finding.Warning
		f.Text = fmt.Sprintf("disk %q may not exist (%s): %s", d.Name, d.Source, d.Uncertain)
	default:
		return
	}
	if f.Severity == finding.Warning && len(d.Architectures) > 0 { // the node that imports decides
		f.Do = j.oneArchitecture(d)
		j.add(f)
		return
	}
	f.Do = cmp.Or(d.do, "name a DataSource that exists, or add the template of this one to the CR")
	j.add(f)
}
