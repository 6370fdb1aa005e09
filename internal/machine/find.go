package machine

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/operators/kubevirt"
)

// The API groups of the kinds that this package reads.
const (
	kubevirtGroup  = "kubevirt.io"
	poolGroup      = "pool.kubevirt.io"
	templateGroup  = "template.openshift.io"
	templatesGroup = "template.kubevirt.io"
	cdiGroup       = "cdi.kubevirt.io"
	hyperGroup     = "hypershift.openshift.io"
	typesGroup     = "instancetype.kubevirt.io"
)

// machineKinds are the kinds of objects that machines are made from, by group.
var machineKinds = map[string][]string{
	kubevirtGroup: {string(kubevirt.VirtualMachine), string(kubevirt.Instance), string(kubevirt.ReplicaSet)},
	poolGroup:     {string(kubevirt.Pool)}, templateGroup: {"Template"}, templatesGroup: {"VirtualMachineTemplate"},
	hyperGroup: {"NodePool"}, cdiGroup: {"DataVolume"},
}

// copierKinds are the kinds of objects that make machines from what only a cluster has.
var copierKinds = map[string][]string{
	"clone.kubevirt.io": {"VirtualMachineClone"}, "snapshot.kubevirt.io": {"VirtualMachineRestore"},
	templatesGroup: {"VirtualMachineTemplateRequest"}, "forklift.konveyor.io": {"Plan", "Migration"},
}

// otherKinds are the kinds of objects that machines depend on.
var otherKinds = map[string][]string{
	kubevirtGroup: {"KubeVirt"}, cdiGroup: {"DataSource", "DataImportCron"}, "": {"PersistentVolumeClaim"}, "snapshot.storage.k8s.io": {"VolumeSnapshot"},
	typesGroup: {kubevirt.OwnPreference, kubevirt.ClusterPreference, kubevirt.OwnInstancetype, kubevirt.ClusterInstancetype},
}

// Reads reports whether this package reads objects of a kind.
func Reads(at finding.Object) bool {
	group := at.Group()
	return IsOne(at) || slices.Contains(copierKinds[group], at.Kind) || slices.Contains(otherKinds[group], at.Kind)
}

// readKinds are the kinds that this package reads, of any group.
var readKinds = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, kinds := range []map[string][]string{machineKinds, copierKinds, otherKinds} {
		for _, list := range kinds {
			for _, kind := range list {
				out[kind] = true
			}
		}
	}
	return out
})

// MentionsAny reports whether a value in a node is a kind that this package reads. If not, the node wraps
// no such object. It does not follow aliases: their targets are in the node, too.
func MentionsAny(n *yaml.Node) bool {
	if n.Kind == yaml.ScalarNode {
		return readKinds()[n.Value]
	}
	return slices.ContainsFunc(n.Content, MentionsAny)
}

// IsOne reports whether machines, or disks of machines, are made from objects of a kind.
func IsOne(at finding.Object) bool { return slices.Contains(machineKinds[at.Group()], at.Kind) }

// Found is a machine of the input, or a disk that stands alone.
type Found struct {
	object.Object
	kubevirt.Machine
	// Path is where the spec of the instance is in the object.
	Path string
	// Inner names the machine in a template; "" for an object that is one itself.
	Inner string
	// Disk says that the object is a DataVolume, and NodePool that it is one of HyperShift.
	Disk, NodePool bool
}

// Objects returns the objects that have machines or disks.
func Objects(list []Found) []object.Object {
	out := make([]object.Object, len(list))
	for i, one := range list {
		out[i] = one.Object
	}
	return out
}

// DuplicateKeys reports the duplicate keys of the objects that machines, or their disks, are
// made from.
func DuplicateKeys(objects []object.Object) finding.List {
	var found finding.List
	for _, o := range objects {
		if IsOne(o.At) && !o.IsLocal() {
			found = append(found, object.DuplicateKeys(o)...)
		}
	}
	return found
}

// Find returns the machines and disks of the objects, and those of templates with the default
// values of their parameters. It reports what it cannot read.
func Find(objects []object.Object) ([]Found, finding.List) {
	var out []Found
	var found finding.List
	for _, o := range objects {
		if !IsOne(o.At) || o.IsLocal() || o.Wrapper.Kind == "Template" {
			continue // the objects of a Template are read with its parameters
		}
		found = append(found, object.DuplicateKeys(o)...)
		data, err := o.JSON()
		if err != nil {
			found = append(found, notRead(o, err))
			continue
		}
		list, err := read(o, data)
		if err != nil {
			found = append(found, notRead(o, err))
			continue
		}
		out = append(out, list...)
	}
	return out, found
}

// notRead reports an object that cannot be read as a machine. The fix names both causes: a wrong
// field, or a value that a tool fills in later.
func notRead(o object.Object, err error) finding.Finding {
	return finding.Finding{
		ID: finding.MachineUnread, Severity: finding.Warning, Object: o.At, Field: o.Path, Line: o.Line(""),
		Text: fmt.Sprintf("goldenarch cannot read this %s, so it does not say whether the machine starts: %v", o.At.Kind, err),
		Do:   "correct the field, or check the manifest after its values are filled in",
	}
}

// read reads one object.
func read(o object.Object, data []byte) ([]Found, error) {
	f := Found{Object: o}
	f.Namespace = o.At.Namespace
	switch {
	case o.At.Kind == "Template":
		return readTemplate(o, data)
	case o.At.Kind == "VirtualMachineTemplate":
		return readVirtualMachineTemplate(o, data)
	case o.At.Kind == "NodePool":
		return readNodePool(f, data)
	case o.At.Kind == "DataVolume":
		return readDataVolume(f, data)
	}
	err := f.readSpec(kubevirt.Kind(o.At.Kind), data)
	return []Found{f}, err
}

// readSpec reads an object of one of KubeVirt's kinds.
func (f *Found) readSpec(kind kubevirt.Kind, data []byte) error {
	m, err := kubevirt.ReadMachine(kind, data)
	m.Namespace = f.Namespace
	f.Machine, f.Path = m, kind.SpecPath()
	return err
}

// readDataVolume reads a DataVolume that stands alone.
func readDataVolume(f Found, data []byte) ([]Found, error) {
	var one kubevirt.DataVolumeTemplate
	if err := kubevirt.ReadFields(data, &one); err != nil {
		return nil, err
	}
	f.Disk, f.Path, f.DataVolumeTemplates = true, "spec", []kubevirt.DataVolumeTemplate{one}
	return []Found{f}, nil
}

// readNodePool reads a NodePool of HyperShift whose nodes are machines of KubeVirt. spec.arch
// selects the disk of the nodes, and not the architecture of the machines (hypershift
// nodepool/kubevirt/kubevirt.go: virtualMachineTemplateBase).
func readNodePool(f Found, data []byte) ([]Found, error) {
	var o struct {
		Spec struct {
			Arch     string `json:"arch"`
			Platform struct {
				Type     string `json:"type"`
				KubeVirt *struct {
					NodeSelector map[string]string `json:"nodeSelector"`
				} `json:"kubevirt"`
			} `json:"platform"`
		} `json:"spec"`
	}
	if err := kubevirt.ReadFields(data, &o); err != nil {
		return nil, err
	}
	if o.Spec.Platform.Type != "KubeVirt" {
		return nil, nil
	}
	f.Kind, f.NodePool, f.Path = kubevirt.VirtualMachine, true, "spec"
	if k := o.Spec.Platform.KubeVirt; k != nil {
		f.Spec.NodeSelector = k.NodeSelector
	}
	platform := &kubevirt.Platform{Architecture: cmp.Or(o.Spec.Arch, "amd64")}
	image := "docker://RHCOS"
	var one kubevirt.DataVolumeTemplate
	one.Metadata.Name = "rhcos"
	one.Spec.Source = &kubevirt.DataVolumeSource{Registry: &kubevirt.RegistrySource{URL: &image, Platform: platform}}
	f.DataVolumeTemplates = []kubevirt.DataVolumeTemplate{one}
	f.Spec.Volumes = []kubevirt.Volume{{Name: "rhcos", DataVolume: &kubevirt.DataVolumeIn{Name: "rhcos"}}}
	return []Found{f}, nil
}
