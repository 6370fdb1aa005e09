package machine

import (
	"maps"
	"slices"

	"github.com/goldenarch/goldenarch/internal/images/imagestream"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/operators/kubevirt"
)

// ImagesOf returns the images that decide the architecture of the disks of machines, each once:
// container disks, kernels and registry sources, and those of the DataImportCrons in Git that name
// no platform. An ImageStream of the input counts as the image that its tag follows. Names with
// placeholders of a template are left out. Without machines there are none.
func ImagesOf(list []Found, objects []object.Object, streams imagestream.Streams) []string {
	if len(list) == 0 {
		return nil
	}
	out := map[string]bool{}
	for _, f := range list {
		for _, v := range f.Spec.Volumes {
			if v.ContainerDisk != nil {
				out[v.ContainerDisk.Image] = true
			}
		}
		out[f.kernel()] = true
		for _, r := range f.registrySources() {
			out[imageOf(r, f.Namespace, streams)] = true
		}
	}
	for _, o := range objects {
		out[cronImage(o, streams)] = true
	}
	delete(out, "")
	return slices.DeleteFunc(slices.Sorted(maps.Keys(out)), isOpen)
}

// registrySources returns the registries from which the machine makes disks.
func (f Found) registrySources() []kubevirt.RegistrySource {
	var out []kubevirt.RegistrySource
	for _, t := range f.DataVolumeTemplates {
		if s := t.Spec.Source; s != nil && s.Registry != nil && !f.NodePool {
			out = append(out, *s.Registry)
		}
	}
	return out
}

// ImagesOfPods returns those of the images of machines and DataImportCrons that pods of CDI pull.
func ImagesOfPods(list []Found, crons []object.Object) []string {
	var sources []kubevirt.RegistrySource
	for _, f := range list {
		sources = append(sources, f.registrySources()...)
	}
	for _, o := range crons {
		if cron, ok := readCron(o); ok {
			sources = append(sources, cron.Registry)
		}
	}
	var out []string
	for _, r := range sources {
		if image := r.Image(); image != "" && r.PulledByPods() {
			out = append(out, image)
		}
	}
	return out
}

// cronImage returns the image of a DataImportCron in Git that names no platform; "" for anything
// else. A dumped cron may have imported another image than its tag names now.
func cronImage(o object.Object, streams imagestream.Streams) string {
	if o.At.Kind != "DataImportCron" || !Reads(o.At) || o.IsLocal() || object.IsDump(o.Node.YNode()) {
		return ""
	}
	data, err := o.JSON()
	if err != nil {
		return ""
	}
	cron, err := kubevirt.ReadCron(data)
	if p := cron.Registry.Platform; err != nil || p != nil && p.Architecture != "" {
		return ""
	}
	return imageOf(cron.Registry, o.At.Namespace, streams)
}

// imageOf returns the image of a registry source in a namespace; "" if nothing in the input says
// which one it is. Of an image that an ImageStream imports with importMode Legacy, OpenShift keeps
// one architecture, and nothing says which.
func imageOf(r kubevirt.RegistrySource, namespace string, streams imagestream.Streams) string {
	if r.ImageStream == nil {
		return r.Image()
	}
	followed, err := streams.Follow(*r.ImageStream, namespace)
	if err != nil || followed.Legacy {
		return ""
	}
	return followed.Reference
}

// kernel returns the image of the kernel that a machine boots; "" if it boots from a disk.
func (f Found) kernel() string {
	if f.Spec.Domain.Firmware == nil || f.Spec.Domain.Firmware.KernelBoot == nil || f.Spec.Domain.Firmware.KernelBoot.Container == nil {
		return ""
	}
	return f.Spec.Domain.Firmware.KernelBoot.Container.Image
}
