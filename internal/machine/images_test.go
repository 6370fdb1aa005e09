package machine_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/images/imagestream"
	"github.com/goldenarch/goldenarch/internal/machine"
	"github.com/goldenarch/goldenarch/internal/workload"
)

// TestImagesOfDisks: the image behind an ImageStream or a DataImportCron of the input decides the
// architecture of a disk, as the image of a DataVolume does.
func TestImagesOfDisks(t *testing.T) {
	t.Parallel()
	stream, err := imagestream.Parse([]byte(`{"metadata":{"name":"rhel9","namespace":"vms"},"spec":{"tags":[
		{"name":"all","from":{"kind":"DockerImage","name":"r.io/arm:1"},"importPolicy":{"importMode":"PreserveOriginal"}},
		{"name":"one","from":{"kind":"DockerImage","name":"r.io/arm:1"},"importPolicy":{"importMode":"Legacy"}}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	from := func(registry string) string {
		return strings.Replace(vm("custom", "architecture: arm64"), "sourceRef: {kind: DataSource, namespace: os-images, name: custom}",
			"source: {registry: {"+registry+"}}", 1)
	}
	cron := func(registry, more string) string {
		return strings.Replace(vm("mine", "architecture: arm64"), "os-images", "vms", 1) +
			"---\napiVersion: cdi.kubevirt.io/v1beta1\nkind: DataImportCron\nmetadata: {name: c, namespace: vms" + more + "}\n" +
			"spec: {managedDataSource: mine, template: {spec: {source: {registry: {" + registry + pullOf(registry) +
			"}}, storage: {resources: {requests: {storage: 5Gi}}}}}}\n"
	}
	for _, tc := range []struct {
		reason, text string
		asked        []string
		want         string
	}{
		{"a tag that keeps all architectures", from("imageStream: 'rhel9:all'"), []string{"r.io/arm:1"}, "Starts arm64 by machine, arm64"},
		{"of a Legacy tag nothing says which one is kept", from("imageStream: 'rhel9:one'"), nil, "Unknown arm64 by machine, ?"},
		{"another ImageStream", from("imageStream: 'rhel8:all'"), nil, "Unknown arm64 by machine, ?"},
		{"a cron in Git", cron("url: 'docker://r.io/arm:1'", ""), []string{"r.io/arm:1"}, "Starts arm64 by machine, arm64"},
		{
			"an index of one architecture, which some nodes do not have",
			cron("url: 'docker://r.io/list:1'", ""),
			[]string{"r.io/list:1"},
			"Depends arm64 by machine, arm64, GA904",
		},
		{
			"an index that no node has an architecture of",
			cron("url: 'docker://r.io/other:1'", ""),
			[]string{"r.io/other:1"},
			"Fails arm64 by machine, ?, GA904",
		},
		{"the same from a DataVolume", from("url: 'docker://r.io/list:1'"), []string{"r.io/list:1"}, "Depends arm64 by machine, arm64, GA904"},
		{
			"a cron with an image of another architecture",
			cron("url: 'docker://r.io/amd:1'", ""),
			[]string{"r.io/amd:1"},
			"Fails arm64 by machine, amd64, GA903",
		},
		{
			"a cron with an image that nobody could look up",
			cron("url: 'docker://r.io/gone:1'", ""),
			[]string{"r.io/gone:1"},
			"Unknown arm64 by machine, ?",
		},
		{"a cron with an ImageStream", cron("imageStream: 'rhel9:all'", ""), []string{"r.io/arm:1"}, "Starts arm64 by machine, arm64"},
		{
			"the platform of a cron decides alone",
			cron("url: 'docker://r.io/arm:1', platform: {architecture: amd64}", ""), nil, "Fails arm64 by machine, amd64, GA903",
		},
		{
			"what a dumped cron imported may be another image",
			cron("url: 'docker://r.io/arm:1'", ", uid: u"), nil, "Unknown arm64 by machine, ?",
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			objects := read(t, tc.text)
			list, found := machine.Find(objects)
			streams := imagestream.Streams{stream}
			if diff := cmp.Diff(tc.asked, machine.ImagesOf(list, objects, streams)); diff != "" {
				t.Errorf("asked for (-want +got):\n%s", diff)
			}
			known := machine.Known{
				Facts: mixed("1.19"), Nodes: workload.Nodes{}, Streams: streams,
				Images: map[string]machine.Image{
					"r.io/arm:1": {Architectures: arch.NewSet(arch.ARM64), Single: true}, "r.io/amd:1": {Architectures: arch.NewSet(arch.AMD64), Single: true},
					"r.io/list:1": {Architectures: arch.NewSet(arch.ARM64)}, "r.io/other:1": {Architectures: arch.NewSet(arch.S390X)},
				},
			}
			found = append(found, known.ReadObjects(objects)...)
			results := known.Judge(list)
			found = append(found, known.Missing(results, nil)...)
			if got := summed(results, found); got != tc.want {
				t.Errorf("want %q, got %q", tc.want, got)
			}
		})
	}
}

// pullOf returns what CDI wants beside an ImageStream of a cron.
func pullOf(registry string) string {
	if strings.Contains(registry, "imageStream") {
		return ", pullMethod: node"
	}
	return ""
}
