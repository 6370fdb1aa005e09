package machine

import (
	"cmp"
	"fmt"
	"slices"

	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/imagestream"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/operators/cdi"
	"github.com/goldenarch/goldenarch/internal/operators/kubevirt"
)

// learnCron adds the DataSource that CDI makes for a DataImportCron, with its labels. CDI never
// changes one whose own label does not name the cron (cdi dataimportcron-controller.go:
// updateDataSource).
func (k *Known) learnCron(at kubevirt.Key, data []byte, sameCommit bool) error {
	cron, err := kubevirt.ReadCron(data)
	if err != nil || cron.DataSource == "" {
		return err
	}
	of := kubevirt.Key{Namespace: at.Namespace, Name: cron.DataSource}
	one, ok := k.sources[of]
	if one.cron != at.Name && (one.inInput || one.cron != "") {
		one.contested = !one.inInput
		k.sources[of] = one
		return nil
	}
	one.cron = at.Name
	one.sameCommit = sameCommit && (one.sameCommit || !ok)
	one.Label, one.Preference = cmp.Or(cron.Label, one.Label), cmp.Or(cron.Preference, one.Preference)
	one.Instancetype = cmp.Or(cron.Instancetype, one.Instancetype)
	one.missing, one.uncertain = "", ""
	if image := cron.Registry.Image(); image != "" && one.image != "" && image != one.image {
		one.architectures, one.image, one.digest = nil, "", "" // the facts are those of another image
	}
	if p := cron.Registry.Platform; p != nil && p.Architecture != "" {
		one.architectures = arch.Named(p.Architecture)
	} else if image, ok := k.Images[imageOf(cron.Registry, at.Namespace, k.Streams)]; ok && sameCommit && len(one.architectures) == 0 {
		one.digest = image.Digest
		one.fill(cdi.ImportOf(image.Architectures, image.Single, k.workload()))
	}
	k.sources[of] = one
	return nil
}

// fill notes what CDI imports for the DataSource.
func (s *knownSource) fill(of cdi.Import) {
	if s.architectures = of.Architectures; len(s.architectures) > 0 {
		s.uncertain = of.Fails
	} else {
		s.missing = of.Fails
	}
}

// Crons returns the DataImportCrons of the input that are in Git, and no part of a Template.
func Crons(objects []object.Object) []object.Object {
	return slices.DeleteFunc(slices.Clone(objects), func(o object.Object) bool {
		return o.At.Kind != "DataImportCron" || !Reads(o.At) || o.IsLocal() || object.IsDump(o.Node.YNode()) ||
			o.Wrapper.Kind == "Template"
	})
}

// readCron reads a DataImportCron, and returns false for one that says nothing yet: it is not valid, or a tool fills in its values.
func readCron(o object.Object) (kubevirt.Cron, bool) {
	data, err := o.JSON()
	if err != nil || isOpen(string(data)) {
		return kubevirt.Cron{}, false
	}
	cron, err := kubevirt.ReadCron(data)
	return cron, err == nil
}

// ImagesOfCrons returns the images that DataImportCrons import, each once.
func ImagesOfCrons(crons []object.Object, streams imagestream.Streams) []string {
	var out []string
	for _, o := range crons {
		if cron, ok := readCron(o); ok {
			if image := imageOf(cron.Registry, o.At.Namespace, streams); image != "" {
				out = append(out, image)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// MadeCron is a DataImportCron that SSP makes of a template of the CR.
type MadeCron struct{ Namespace, Name, DataSource, Template string }

// CheckCrons reports the DataImportCrons that CDI admits and that fill nothing, or with something else than their label says: the image
// lacks the architecture that they ask for, or another one manages their DataSource, also one that SSP makes. One that CDI refuses is
// among what [Known.ReadObjects] reports.
func (k *Known) CheckCrons(crons []object.Object, made []MadeCron) finding.List {
	var found finding.List
	managedBy, templates := map[kubevirt.Key]string{}, map[kubevirt.Key]string{}
	for _, one := range made {
		managedBy[kubevirt.Key{Namespace: one.Namespace, Name: one.DataSource}] = one.Name
		templates[kubevirt.Key{Namespace: one.Namespace, Name: one.Name}] = one.Template
	}
	for _, o := range crons {
		cron, ok := readCron(o)
		if !ok {
			continue
		}
		f := finding.Finding{ID: finding.CronBroken, Severity: finding.Error, Object: o.At, Field: o.Path, Line: o.Line("")}
		text := imageOf(cron.Registry, o.At.Namespace, k.Streams)
		found = append(found, k.wrongImport(f, cron, text)...)
		of := kubevirt.Key{Namespace: o.At.Namespace, Name: cron.DataSource}
		template, isMade := templates[kubevirt.Key{Namespace: o.At.Namespace, Name: o.At.Name}]
		switch other, managed := managedBy[of]; {
		case isMade:
			f.Text = fmt.Sprintf("SSP makes a DataImportCron of this name of template %q of the CR, and replaces this one again and again", template)
			f.Do = "remove the DataImportCron, or rename the template or the DataImportCron and its DataSource"
			found = append(found, f)
		case cron.DataSource == "":
		case managed && other != o.At.Name:
			f.Text = fmt.Sprintf("DataImportCron %q manages DataSource %q, too. CDI leaves it to the one that it handles first, and the other fills nothing",
				other, nameOf(of))
			f.Do = "give each DataImportCron a DataSource of its own"
			found = append(found, f)
		default:
			managedBy[of] = o.At.Name
		}
	}
	return found
}

// wrongPlatform is the fix for an import of an architecture that the image lacks.
const wrongPlatform = "ask for an architecture that the image has, or use an image that has this one"

// wrongImport reports a DataImportCron whose import fails, also if it does on some nodes alone.
func (k *Known) wrongImport(f finding.Finding, cron kubevirt.Cron, text string) finding.List {
	image, known := k.Images[text]
	of := cdi.ImportOf(image.Architectures, image.Single, k.workload())
	asked := ""
	if p := cron.Registry.Platform; p != nil && p.Architecture != "" {
		asked, of = p.Architecture, cdi.Import{Architectures: arch.Named(p.Architecture)}
	}
	label := wrongLabel(f, cron, of.Architectures)
	switch {
	case known && asked != "" && !image.Architectures.Contains(arch.NamedOne(asked)):
		f.Text = fmt.Sprintf("the image %q has %s, and the DataImportCron asks for %s, so the import fails", text, image.Architectures, asked)
		f.Do = wrongPlatform
	case of.Fails == "", label.Failed():
		return label
	case len(of.Architectures) == 0:
		f.Text, f.Do = "the import fails: "+of.Fails, "use an image that has an architecture of the nodes"
	default:
		f.Severity, f.Text = finding.Warning, "the import may fail: "+of.Fails
		f.Do = fmt.Sprintf("set %s: %s", platformField, cmp.Or(cron.Label, string(of.Architectures[0])))
	}
	return finding.List{f}
}

// platformField is where a DataImportCron asks for an architecture.
const platformField = "spec.template.spec.source.registry.platform.architecture"

// wrongLabel reports a DataImportCron whose label for the architecture is not that of what it imports. CDI gives the label to the
// DataSource, and KubeVirt its architecture to the machines that name the DataSource.
func wrongLabel(f finding.Finding, cron kubevirt.Cron, brings arch.Set) finding.List {
	label := arch.NamedOne(cron.Label)
	switch {
	case cron.Label == "" || len(brings) == 0 || len(brings) == 1 && brings.Contains(label):
		return nil
	case brings.Contains(label):
		f.Severity = finding.Warning
		f.Text = fmt.Sprintf("the label %s says %s, and the DataImportCron imports one of %s", kubevirt.ArchitectureLabel, cron.Label, brings)
		f.Do = "set " + platformField + ": " + cron.Label
	default:
		f.Text = fmt.Sprintf("the label %s says %s, and the DataImportCron imports %s: machines from DataSource %q get %s, and cannot boot from it",
			kubevirt.ArchitectureLabel, cron.Label, brings, cron.DataSource, cron.Label)
		f.Do = "set the label to what it imports, or use an image that has " + cron.Label + ", and ask for it"
	}
	return finding.List{f}
}

// refusedCron reports a DataImportCron in Git that CDI's webhook refuses, and notes that its
// DataSource gets no disk. It reports nothing of one whose values a tool fills in later, and of one
// that a cluster holds.
func (k *Known) refusedCron(o object.Object, data []byte) finding.List {
	var cron struct {
		Spec cdiv1.DataImportCronSpec `json:"spec"`
	}
	if isOpen(string(data)) || object.IsDump(o.Node.YNode()) || kubevirt.ReadFields(data, &cron) != nil {
		return nil
	}
	why := cdi.Refused(o.At.Name, cron.Spec)
	if why == "" {
		return nil
	}
	f := finding.Finding{
		ID: finding.CronRefused, Severity: finding.Error, Object: o.At, Field: o.Path, Line: o.Line(""),
		Text: fmt.Sprintf("CDI refuses the DataImportCron: %s", why), Do: "correct the DataImportCron",
	}
	if s := cron.Spec.Template.Spec.Source; s == nil || s.Registry == nil && s.PVC == nil {
		f.Text += " (it imports from a registry or a PVC only)"
		f.Do = "use an image in a registry, or a DataVolume, which can import from elsewhere"
	}
	of := kubevirt.Key{Namespace: o.At.Namespace, Name: cron.Spec.ManagedDataSource}
	if one, ok := k.sources[of]; cron.Spec.ManagedDataSource != "" && (!ok || one.inInput && one.cron == o.At.Name) {
		k.sources[of] = knownSource{
			inInput: one.inInput, missing: fmt.Sprintf("CDI refuses DataImportCron %q, which would fill it: %s", o.At.Name, why),
			do: "correct the DataImportCron, or name another DataSource",
		}
	}
	return finding.List{f}
}
