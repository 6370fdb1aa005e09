package machine

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/operators/cdi"
	"github.com/goldenarch/goldenarch/internal/operators/kubevirt"
)

// Disk is a disk of a machine.
type Disk struct {
	// Name is the name of its volume. Source says what fills it.
	Name, Source string
	// Architectures are those of which the disk has one; nil if they are unknown.
	Architectures arch.Set
	Digest        string
	// Missing is why the disk will not exist, Uncertain why it may not.
	Missing, Uncertain string
	// Unknown is why nothing is known about the disk; "" if something is.
	Unknown string

	// of is the DataSource that the machine names; the zero value if it names none.
	of kubevirt.Key
	// data says that the content has no architecture: a blank disk.
	data bool
	// pulled says that the disk is an index of images, which a node of another architecture
	// cannot pull.
	pulled bool
	boots  bool
	field  string
	// do is the fix for a missing disk, if it is not the usual one.
	do string
}

// disks returns the disks of a machine, in the order of its volumes.
func (k *Known) disks(f Found) []Disk {
	var out []Disk
	if f.Disk {
		d := k.filledBy(f.DataVolumeTemplates[0].Spec, f.Namespace, chain)
		d.Name, d.boots = f.At.Name, true
		return []Disk{d}
	}
	for i, v := range f.Spec.Volumes {
		if d, ok := k.diskOf(f, v); ok {
			d.Name, d.field = v.Name, fmt.Sprintf("volumes[%d]", i)
			out = append(out, d)
		}
	}
	if image := f.kernel(); image != "" {
		d := k.container(image)
		d.Name, d.field, d.boots = "kernelBoot", "domain.firmware.kernelBoot.container.image", true
		return append(out, d)
	}
	if i := bootDisk(f, out); i >= 0 {
		out[i].boots = true
	}
	return out
}

// bootDisk returns the index of the disk that the machine boots from, below 0 if it is not
// among them. A disk without content boots only if there is no other one.
func bootDisk(f Found, disks []Disk) int {
	blank := -1
	for _, name := range bootOrder(f) {
		i := slices.IndexFunc(disks, func(d Disk) bool { return d.Name == name })
		switch {
		case i < 0: // a volume that no machine boots from
		case !disks[i].data:
			return i
		case blank < 0:
			blank = i
		}
	}
	return blank
}

// bootOrder returns the names of the volumes that a machine tries to boot from. Where a disk has
// a bootOrder, KubeVirt tries only those that have one. Otherwise they are all disks, CD-ROMs
// last. KubeVirt adds the volumes without a disk to the list (pkg/util: SetDefaultVolumeDisk).
func bootOrder(f Found) []string {
	devices := f.Spec.Domain.Devices
	var ordered []kubevirt.Disk
	var names, roms []string
	listed := map[string]bool{}
	for _, d := range devices.Disks {
		listed[d.Name] = true
		if d.BootOrder != nil {
			ordered = append(ordered, d)
		}
		if d.CDRom != nil {
			roms = append(roms, d.Name)
		} else {
			names = append(names, d.Name)
		}
	}
	if len(ordered) > 0 {
		slices.SortStableFunc(ordered, func(a, b kubevirt.Disk) int { return cmp.Compare(*a.BootOrder, *b.BootOrder) })
		names = nil
		for _, d := range ordered {
			names = append(names, d.Name)
		}
		return names
	}
	for _, d := range devices.Filesystems {
		listed[d.Name] = true
	}
	for _, v := range f.Spec.Volumes {
		if !listed[v.Name] {
			names = append(names, v.Name)
		}
	}
	return append(names, roms...)
}

// diskOf returns the disk of a volume; false for a volume that no machine boots from.
func (k *Known) diskOf(f Found, v kubevirt.Volume) (Disk, bool) {
	var claim string
	switch {
	case v.ContainerDisk != nil:
		return k.container(v.ContainerDisk.Image), true
	case v.DataVolume != nil:
		claim = v.DataVolume.Name
		for _, t := range f.DataVolumeTemplates {
			if t.Metadata.Name == claim {
				return k.filledBy(t.Spec, f.Namespace, chain), true
			}
		}
	case v.HostDisk != nil:
		return Disk{Source: "hostDisk " + v.HostDisk.Path, Unknown: "a file of its node"}, true
	case v.Claim != nil:
		claim = v.Claim.ClaimName
	case v.Ephemeral != nil && v.Ephemeral.Claim != nil:
		claim = v.Ephemeral.Claim.ClaimName
	default:
		return Disk{}, false
	}
	return k.fromClaim(kubevirt.Key{Namespace: f.Namespace, Name: claim}, chain), true
}

// chain is how many volumes of the input goldenarch follows from one to the next.
const chain = 8

// fromClaim returns the disk that a PersistentVolumeClaim has: that of the DataVolume of its name, if the input has it.
func (k *Known) fromClaim(at kubevirt.Key, left int) Disk {
	if one, ok := k.volumes[kubevirt.Object{Kind: dataVolumeKind, Key: at}]; ok && left > 0 {
		return k.filledBy(one.Spec, at.Namespace, left-1)
	}
	return Disk{Source: "PersistentVolumeClaim " + at.Name, Unknown: "a volume that only the cluster has"}
}

// fromSnapshot returns the disk that a VolumeSnapshot has: that of the claim that it is of, if the input has both.
func (k *Known) fromSnapshot(at kubevirt.Key, left int) Disk {
	if one, ok := k.volumes[kubevirt.Object{Kind: "VolumeSnapshot", Key: at}]; ok && one.Spec.Source != nil && one.Spec.Source.OfClaim != "" {
		return k.fromClaim(kubevirt.Key{Namespace: at.Namespace, Name: one.Spec.Source.OfClaim}, left)
	}
	return Disk{Source: "VolumeSnapshot " + at.Name, Unknown: "a volume that only the cluster has"}
}

// container returns the disk of an image that the launcher pod runs as a container.
func (k *Known) container(image string) Disk {
	d := Disk{Source: "image " + image}
	one, ok := k.Images[image]
	if !ok || len(one.Architectures) == 0 {
		d.Unknown = "an image that goldenarch could not look up"
		return d
	}
	d.Architectures, d.Digest, d.pulled = one.Architectures, one.Digest, !one.Single
	return d
}

// filledBy returns the disk that CDI fills for a DataVolume, through as many others as are left.
func (k *Known) filledBy(spec kubevirt.DataVolumeSpec, namespace string, left int) Disk {
	if ref := spec.SourceRef; ref != nil {
		return k.fromSource(*ref, namespace, left)
	}
	s := spec.Source
	switch {
	case s == nil:
		return Disk{Source: "nothing", Unknown: "a DataVolume without a source"}
	case s.Blank != nil:
		return Disk{Source: "blank", data: true}
	case s.Registry != nil:
		return k.fromRegistry(*s.Registry, namespace)
	case s.Claim != nil:
		return k.fromClaim(kubevirt.Key{Namespace: cmp.Or(s.Claim.Namespace, namespace), Name: s.Claim.Name}, left)
	case s.Snapshot != nil:
		return k.fromSnapshot(kubevirt.Key{Namespace: cmp.Or(s.Snapshot.Namespace, namespace), Name: s.Snapshot.Name}, left)
	case s.Upload != nil:
		return Disk{Source: "upload", Unknown: "a disk that a person uploads"}
	default:
		return Disk{Source: "download", Unknown: "a disk that CDI downloads from a server"}
	}
}

// fromRegistry returns the disk that CDI imports from a registry. With an architecture, CDI
// imports that one or fails (cdi pkg/importer/transport.go: validateImagePlatformMatch). Without
// one it imports what the importer's node runs.
func (k *Known) fromRegistry(r kubevirt.RegistrySource, namespace string) Disk {
	d := Disk{Source: "registry"}
	image := k.Images[imageOf(r, namespace, k.Streams)]
	switch {
	case r.URL != nil:
		d.Source = "image " + cmp.Or(r.Image(), *r.URL)
	case r.ImageStream != nil:
		d.Source = "ImageStream " + *r.ImageStream
	}
	d.Digest = image.Digest
	if r.Platform != nil && r.Platform.Architecture != "" {
		a, err := arch.Parse(r.Platform.Architecture)
		if err != nil {
			d.Unknown = "an architecture that goldenarch does not know"
			return d
		}
		d.Architectures = arch.NewSet(a)
		if len(image.Architectures) > 0 && !image.Architectures.Contains(a) {
			d.Missing = fmt.Sprintf("the image has %s, and the DataVolume asks for %s, so the import fails", image.Architectures, a)
			d.do = wrongPlatform
		}
		return d
	}
	of := cdi.ImportOf(image.Architectures, image.Single, k.workload())
	d.Architectures = of.Architectures
	switch {
	case len(d.Architectures) > 0:
		d.Uncertain = of.Fails
	case of.Fails != "":
		d.Missing, d.do = of.Fails, wrongPlatform
	case r.ImageStream != nil:
		d.Unknown = "an ImageStream whose image goldenarch does not know"
	default:
		d.Unknown = "an image that goldenarch could not look up"
	}
	return d
}

// fromSource returns the disk of a DataSource. CDI follows one reference, within its namespace
// (cdi pkg/controller/common/util.go).
func (k *Known) fromSource(ref kubevirt.SourceRef, namespace string, left int) Disk {
	at := ref.Key(namespace)
	d := Disk{Source: "DataSource " + nameOf(at), of: at}
	one, state := k.find(at)
	if state == exists && one.Reference != nil && one.missing == "" {
		to := *one.Reference
		if to.Namespace == "" {
			to.Namespace = at.Namespace
		}
		digest, uncertain := one.digest, one.uncertain
		if d.Missing = k.refusedReference(at, to); d.Missing != "" {
			d.Source += " -> " + nameOf(to)
			d.do = "let the machine name the DataSource that has the disk"
			return d
		}
		at = to
		one, state = k.find(at)
		d.Source += " -> " + to.Name
		if one.digest == "" {
			one.digest = digest
		}
		if one.uncertain == "" {
			one.uncertain = uncertain
		}
	}
	switch {
	case state == existsNot:
		d.Missing = fmt.Sprintf("nothing makes DataSource %q in the namespace %q of the golden images", at.Name, at.Namespace)
	case one.contested:
		d.Unknown = "a DataSource that several DataImportCrons of the input manage"
	case state == mayExist:
		d.Unknown = "a DataSource that nothing in the input describes"
	default:
		d.Architectures, d.Digest, d.Missing, d.Uncertain, d.do = one.architectures, one.digest, one.missing, one.uncertain, one.do
		if d.Missing != "" && d.do == "" { // it is there, so there is nothing to add
			d.do = "correct that, or name a DataSource that gets a disk"
		}
		if len(d.Architectures) == 0 && d.Missing == "" {
			return k.behind(d, one.DataSource, left)
		}
	}
	return d
}

// behind returns the disk of a DataSource whose image is not known: that of the volume that it names, if the input
// has that.
func (k *Known) behind(d Disk, source kubevirt.DataSource, left int) Disk {
	var of Disk
	switch {
	case source.Claim != nil:
		of = k.fromClaim(*source.Claim, left)
	case source.Snapshot != nil:
		of = k.fromSnapshot(*source.Snapshot, left)
	}
	if len(of.Architectures) == 0 && of.Missing == "" && !of.data {
		d.Unknown = "a DataSource whose image goldenarch does not know"
		return d
	}
	of.Source = d.Source + " -> " + of.Source
	return of
}

// refusedReference says why CDI does not follow the reference of a DataSource; "" if it does (cdi
// pkg/controller/common/util.go: ResolveDataSourceChain).
func (k *Known) refusedReference(at, to kubevirt.Key) string {
	switch next, state := k.find(to); {
	case to.Namespace != at.Namespace:
		return fmt.Sprintf("DataSource %q points at one in another namespace, which CDI refuses", nameOf(at))
	case to == at:
		return fmt.Sprintf("DataSource %q points at itself", nameOf(at))
	case state == exists && next.Reference != nil:
		return fmt.Sprintf("DataSource %q points at a DataSource that is a reference itself, and CDI follows one reference only", nameOf(at))
	default:
		return ""
	}
}

func nameOf(at kubevirt.Key) string {
	if at.Namespace == "" {
		return at.Name
	}
	return at.Namespace + "/" + at.Name
}
