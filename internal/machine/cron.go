package machine

import (
	"cmp"
	"fmt"

	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/object"
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
		one.architectures, one.digest = cdi.Importable(image.Architectures, k.workload()), image.Digest
	}
	k.sources[of] = one
	return nil
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
		k.sources[of] = source{
			inInput: one.inInput, missing: fmt.Sprintf("CDI refuses DataImportCron %q, which would fill it: %s", o.At.Name, why),
			do: "correct the DataImportCron, or name another DataSource",
		}
	}
	return finding.List{f}
}
