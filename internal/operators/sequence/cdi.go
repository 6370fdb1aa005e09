package sequence

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/goldenarch/goldenarch/internal/operators/cdi"
)

const (
	// keptImports is how many imports CDI keeps for a cron that does not say it (cdi
	// dataimportcron-controller.go: defaultImportsToKeepPerCron).
	keptImports = 3
	// digestLength is how much of a digest the name of an import has.
	digestLength = 12
)

// sameSpec compares specs as the API server stores them.
func sameSpec(a, b cdiv1.DataImportCronSpec) bool {
	one, err := json.Marshal(a)
	other, errOther := json.Marshal(b)
	return err == nil && errOther == nil && string(one) == string(other)
}

// passOfCDI lets CDI handle the deleted crons, and then everything, until nothing changes.
func (s *State) passOfCDI(step Step, gone []Key) {
	s.index()
	for _, key := range gone {
		s.cleanup(key)
	}
	s.collect()
	for range passes {
		before := s.copied()
		s.poll(step)
		for _, key := range s.keys(Cron) {
			s.reconcileCron(key, step)
		}
		s.importAll()
		s.collect()
		for _, key := range s.keys(DataSource) {
			s.reconcileDataSource(s.objects[key])
		}
		if s.same(before) {
			return
		}
	}
}

// cleanup deletes what belongs to a cron that is gone or is being deleted: only objects with
// the clean-up label, which retentionPolicy None sets (cdi dataimportcron-controller.go:
// cleanup).
func (s *State) cleanup(cron Key) {
	for _, o := range s.belongingTo(cron) {
		if o.Kind != Cron && o.Labels[cdi.CleanupLabel] == "true" {
			delete(s.objects, o.Key)
		}
	}
}

// poll writes what the pollers find to the crons.
func (s *State) poll(step Step) {
	for _, key := range s.keys(Cron) {
		o := s.objects[key]
		source := Polled(key.Namespace, o.Spec)
		if source == "" || step.Digest == nil {
			continue
		}
		if digest := step.Digest(source, o.Digest); digest != "" {
			o.Digest = digest
		}
	}
}

// Polled names what CDI polls for the digest of a cron: the URL of an image, an ImageStream or a
// claim. It returns "" for a cron that CDI does not poll, because its schedule is empty or its
// source is of another kind (cdi dataimportcron-controller.go: initCron, pollSourceDigest).
func Polled(namespace string, spec *cdiv1.DataImportCronSpec) string {
	source := spec.Template.Spec.Source
	switch {
	case source == nil || spec.Schedule == "":
		return ""
	case source.Registry != nil && source.Registry.ImageStream != nil:
		return "ImageStream/" + namespace + "/" + *source.Registry.ImageStream
	case source.Registry != nil && source.Registry.URL != nil:
		return *source.Registry.URL
	case source.PVC != nil:
		return Claim + "/" + cmp.Or(source.PVC.Namespace, namespace) + "/" + source.PVC.Name
	default:
		return ""
	}
}

// importAll ends every import: its claim has the labels of the DataVolume, which owns it.
func (s *State) importAll() {
	for _, key := range s.keys(DataVolume) {
		volume := s.objects[key]
		claim := Key{Claim, key.Namespace, key.Name}
		if !s.Has(claim) {
			s.add(Object{Key: claim, Labels: volume.Labels, Owners: []string{DataVolume + "/" + key.Name}})
		}
		volume.Succeeded = true
	}
}

// reconcileCron is a reconciliation of a cron (cdi dataimportcron-controller.go: Reconcile,
// update).
func (s *State) reconcileCron(key Key, step Step) {
	o := s.objects[key]
	if o.Deleting {
		s.cleanup(key)
		return
	}
	if s.managedByOther(o) {
		return
	}
	succeeded, again := s.finishImport(o, step)
	if again {
		return
	}
	if succeeded {
		o.Last = o.Import
		s.collectOldImports(o)
	}
	s.updateDataSource(o, step)
	if o.Digest != "" && (o.Import == "" || o.Digest != o.ImportDigest) && (succeeded || o.Import == "") {
		s.startImport(o)
	}
}

// managedByOther reports whether another cron that exists manages the cron's DataSource
// (cdi: shouldReconcileCron).
func (s *State) managedByOther(o *Object) bool {
	source, ok := s.objects[Key{DataSource, o.Namespace, o.Spec.ManagedDataSource}]
	if !ok || source.cron() == "" || source.cron() == o.Name {
		return false
	}
	other, ok := s.objects[Key{Cron, o.Namespace, source.cron()}]
	return ok && other.Spec.ManagedDataSource == source.Name
}

// finishImport looks at the current import of a cron. It reports whether that has succeeded,
// and whether CDI reconciles the cron again first.
func (s *State) finishImport(o *Object, step Step) (succeeded, again bool) {
	if o.Import == "" {
		return false, false
	}
	volume := s.objects[Key{DataVolume, o.Namespace, o.Import}]
	claim := s.objects[Key{Claim, o.Namespace, o.Import}]
	snapshot := s.objects[Key{Snapshot, o.Namespace, o.Import}]
	switch {
	case volume != nil && !volume.Succeeded:
		return false, false
	case volume != nil || claim != nil:
		if claim != nil {
			s.use(o, claim)
			if step.Snapshots {
				s.snapshot(o, claim, snapshot)
			}
		}
		return true, false
	case snapshot != nil:
		if !step.Snapshots {
			delete(s.objects, snapshot.Key)
			return false, true
		}
		if source, ok := s.objects[Key{DataSource, o.Namespace, o.Spec.ManagedDataSource}]; ok && source.cron() == o.Name {
			s.copyLabels(source.Labels, snapshot, true)
		}
		s.use(o, snapshot)
		return true, false
	default:
		o.Import, o.ImportDigest = "", ""
		return false, false
	}
}

// use labels an import as that of a cron (cdi: updateSource, setDataImportCronResourceLabels).
// A clean-up label that is there stays, whatever the cron's retention policy is.
func (s *State) use(cron, o *Object) {
	o.LastUse = s.now()
	s.label(o, cdi.DataSourceLabels(cron.Name, cron.Labels, *cron.Spec))
}

// copyLabels copies the labels of KubeVirt's domains (cdi common/util.go: CopyAllowedLabels).
func (s *State) copyLabels(from map[string]string, to *Object, overwrite bool) {
	copied := map[string]string{}
	for label, value := range from {
		if _, has := to.Labels[label]; (!has || overwrite) && cdi.PassesOn(label) {
			copied[label] = value
		}
	}
	s.label(to, copied)
}

// snapshot makes the snapshot of an import, and deletes its volume afterwards (cdi:
// handleSnapshot).
func (s *State) snapshot(cron, claim, snapshot *Object) {
	if snapshot != nil {
		s.deleteVolume(claim.Namespace, claim.Name)
		return
	}
	made := s.add(Object{Key: Key{Snapshot, cron.Namespace, claim.Name}})
	s.use(cron, made)
	s.copyLabels(claim.Labels, made, false)
}

// ImportsToKeep returns how many imports CDI keeps for a cron (cdi dataimportcron-controller.go:
// garbageCollectOldImports).
func ImportsToKeep(spec *cdiv1.DataImportCronSpec) int {
	if n := spec.ImportsToKeep; n != nil && *n >= 0 {
		return int(*n)
	}
	return keptImports
}

// collectOldImports deletes the oldest imports of a cron (cdi: garbageCollectOldImports).
func (s *State) collectOldImports(cron *Object) {
	if policy := cron.Spec.GarbageCollect; policy != nil && *policy != cdiv1.DataImportCronGarbageCollectOutdated {
		return
	}
	keep := ImportsToKeep(cron.Spec)
	for _, claim := range oldest(s.importsOf(cron, Claim), keep) {
		s.deleteVolume(claim.Namespace, claim.Name)
	}
	if volumes := s.importsOf(cron, DataVolume); len(volumes) > keep {
		for _, volume := range volumes {
			claim, ok := s.objects[Key{Claim, volume.Namespace, volume.Name}]
			if !ok {
				break // CDI fails here, and tries again
			}
			if claim.cron() != cron.Name {
				s.deleteVolume(volume.Namespace, volume.Name)
			}
		}
	}
	for _, snapshot := range oldest(s.importsOf(cron, Snapshot), keep) {
		delete(s.objects, snapshot.Key)
	}
}

func (s *State) importsOf(cron *Object, kind string) []*Object {
	return slices.DeleteFunc(s.belongingTo(cron.Key), func(o *Object) bool { return o.Kind != kind })
}

// oldest returns the objects beyond the newest ones.
func oldest(objects []*Object, keep int) []*Object {
	if len(objects) <= keep {
		return nil
	}
	slices.SortStableFunc(objects, func(a, b *Object) int { return strings.Compare(b.LastUse, a.LastUse) })
	return objects[keep:]
}

// deleteVolume deletes a DataVolume, or the claim of one that is gone already (cdi:
// deleteDvPvc).
func (s *State) deleteVolume(namespace, name string) {
	if volume := (Key{DataVolume, namespace, name}); s.Has(volume) {
		delete(s.objects, volume)
	} else {
		delete(s.objects, Key{Claim, namespace, name})
	}
}

// updateDataSource makes or fills the DataSource of a cron (cdi: updateDataSource). CDI
// never changes one whose label does not name the cron.
func (s *State) updateDataSource(cron *Object, step Step) {
	key := Key{DataSource, cron.Namespace, cron.Spec.ManagedDataSource}
	source, there := s.objects[key]
	if !there {
		source = s.add(Object{Key: key, Source: map[string]any{}})
	} else if source.cron() != cron.Name {
		return
	}
	s.label(source, cdi.DataSourceLabels(cron.Name, cron.Labels, *cron.Spec))
	if cron.Last == "" {
		return
	}
	field := "pvc"
	if step.Snapshots {
		field = "snapshot"
	}
	source.Source = map[string]any{field: map[string]any{"name": cron.Last, "namespace": cron.Namespace}}
}

// startImport makes the DataVolume of a new digest, or adopts an import of that name (cdi:
// createImportDataVolume).
func (s *State) startImport(cron *Object) {
	name := ImportName(cron.Spec.ManagedDataSource, cron.Digest)
	cron.Import, cron.ImportDigest = name, cron.Digest
	for _, kind := range []string{Snapshot, Claim} {
		if o, there := s.objects[Key{kind, cron.Namespace, name}]; there {
			s.use(cron, o)
			return
		}
	}
	key := Key{DataVolume, cron.Namespace, name}
	if !s.Has(key) {
		s.add(Object{Key: key, Labels: cdi.DataSourceLabels(cron.Name, cron.Labels, *cron.Spec), LastUse: s.now()})
	}
}

// ImportName returns the name of the import of a digest (cdi: createDvName).
func ImportName(dataSource, digest string) string {
	_, hash, _ := strings.Cut(digest, ":")
	return fmt.Sprintf("%s-%.*s", dataSource, digestLength, hash)
}

// reconcileDataSource says whether a DataSource is ready. If it is, the DataSource gets the
// labels of its volume, through a reference too (cdi datasource-controller.go: update).
func (s *State) reconcileDataSource(o *Object) {
	o.Ready = "False"
	target, namespace := o, o.Namespace
	if at := o.PointsAt(); at.Kind == DataSource {
		other, there := s.objects[at]
		if !there || at == o.Key || at.Namespace != namespace || other.PointsAt().Kind == DataSource {
			return
		}
		target = other
	}
	switch at := target.PointsAt(); at.Kind {
	case Claim:
		volume, claim := s.objects[Key{DataVolume, at.Namespace, at.Name}], s.objects[at]
		if volume == nil && claim == nil || volume != nil && !volume.Succeeded {
			return
		}
		for _, from := range []*Object{volume, claim} {
			if from != nil {
				s.copyLabels(from.Labels, o, true)
			}
		}
		o.Ready = "True"
	case Snapshot:
		if snapshot, there := s.objects[at]; there {
			s.copyLabels(snapshot.Labels, o, true)
			o.Ready = "True"
		}
	}
}
