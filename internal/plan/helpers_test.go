package plan

import (
	"strings"
	"testing"

	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/engine/settings"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

const (
	appURL    = "docker://quay.io/acme/app:1"
	fedoraURL = "docker://quay.io/containerdisks/fedora:latest"
)

// claimed is annotations with a claim, and with goldenarch's mark if it is
// given.
func claimed(claim string, mark ...string) map[string]string {
	notes := map[string]string{hyperconverged.ClaimAnnotation: claim}
	for _, m := range mark {
		notes[hyperconverged.WrittenAnnotation] = m
	}
	return notes
}

// disabled is annotations as goldenarch leaves them on a disabled template.
func disabled() map[string]string {
	return map[string]string{
		hyperconverged.EnableAnnotation: "false", hyperconverged.DisabledAnnotation: hyperconverged.NoSupportedArchitecture,
	}
}

func fromURL(url string) *cdiv1.DataVolumeSource {
	return &cdiv1.DataVolumeSource{Registry: &cdiv1.DataVolumeSourceRegistry{URL: &url}}
}

func fromStream(name string) *cdiv1.DataVolumeSource {
	return &cdiv1.DataVolumeSource{Registry: &cdiv1.DataVolumeSourceRegistry{ImageStream: &name}}
}

func fromHTTP() *cdiv1.DataVolumeSource {
	return &cdiv1.DataVolumeSource{HTTP: &cdiv1.DataVolumeSourceHTTP{URL: "https://example.com/disk.qcow2"}}
}

// entry is a template of the CR.
func entry(name string, source *cdiv1.DataVolumeSource, notes map[string]string) hyperconverged.Template {
	spec := &cdiv1.DataImportCronSpec{ManagedDataSource: name, Schedule: "0 0 * * *"}
	spec.Template.Spec.Source = source
	return hyperconverged.Template{Metadata: &hyperconverged.TemplateMetadata{Name: name, Annotations: notes}, Spec: spec}
}

// subject is a CR with templates on a cluster with workload nodes of amd64 and
// arm64, with the default configuration. Its multi-arch gate is on already.
func subject(templates ...hyperconverged.Template) Known {
	for i := range templates {
		templates[i].Index = i
	}
	spec := &v1alpha1.GoldenImagesSpec{}
	spec.Default()
	return Known{
		CR:      &hyperconverged.CR{Version: hyperconverged.V1beta1, CommonImport: true, Templates: templates, Gate: in("true", "")},
		Table:   hyperconverged.Upstream(),
		Cluster: cluster.Architectures{Workload: set("amd64,arm64")},
		Spec:    settings.Of(spec),
	}
}

// released is a release that a user states; "" for none.
func released(text string) v1alpha1.Release {
	release, err := v1alpha1.ParseRelease(text)
	if err != nil {
		panic(err)
	}
	return release
}

func set(list string) arch.Set {
	if list == "" {
		return nil
	}
	s, err := arch.ParseAll(strings.Split(list, ","))
	if err != nil {
		panic(err)
	}
	return s
}

// has is what the registry answers for an image that has these architectures.
func has(list string) Answer {
	var platforms arch.Platforms
	for _, a := range set(list) {
		platforms = append(platforms, arch.Platform{OS: "linux", Architecture: a})
	}
	return Answer{Platforms: platforms}
}

// ids returns what was found: "warning GA104", one after the other.
func ids(found finding.List) string {
	list := make([]string, len(found))
	for i, f := range found {
		list[i] = string(f.Severity) + " " + string(f.ID)
	}
	return strings.Join(list, ", ")
}

// decide makes a plan in which every image has the same answer.
func decide(t *testing.T, s Known, answer Answer) (Plan, finding.List) {
	t.Helper()
	answers := Answers{}
	questions := Questions(s)
	for _, q := range questions {
		answers[q.Image] = answer
	}
	return Decide(s, questions, answers)
}
