package cdi

import (
	"fmt"
	"strings"

	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

// Problem is what goes wrong with a DataImportCron that CDI's webhook admits.
type Problem struct {
	// Field is the path in the spec: "template.spec.source.registry.url".
	Field string
	Text  string // what goes wrong
	Do    string // what to do
}

const registryField = "template.spec.source.registry."

// Broken returns why the imports of a cron fail though its webhook admits it
// (cdi dataimportcron-controller.go: untagDigestedDockerURL, and the importer's
// transport.go). A source that is no registry has none of these.
func Broken(spec cdiv1.DataImportCronSpec) []Problem {
	source := spec.Template.Spec.Source
	if source == nil || source.Registry == nil {
		return nil
	}
	var out []Problem
	if url := source.Registry.URL; url != nil {
		out = append(out, brokenURL(*url)...)
	}
	if stream := source.Registry.ImageStream; stream != nil && strings.Count(*stream, ":") > 1 {
		out = append(out, Problem{
			Field: registryField + "imageStream",
			Text:  fmt.Sprintf("the ImageStream %q has more than one colon: CDI reads a name, or name:tag, and finds nothing", *stream),
			Do:    "write name or name:tag",
		})
	}
	return out
}

func brokenURL(url string) []Problem {
	scheme, rest, _ := strings.Cut(url, ":")
	switch rest = strings.TrimPrefix(rest, "//"); {
	case strings.EqualFold(scheme, cdiv1.RegistrySchemeOci):
		return []Problem{{
			Field: registryField + "url",
			Text:  fmt.Sprintf("the archive %q would have to be in CDI's own pods, and CDI appends a digest to its path: nothing is ever imported", url),
			Do:    "push the image to a registry",
		}}
	case strings.Contains(rest, "@"):
		return []Problem{{
			Field: registryField + "url",
			Text:  fmt.Sprintf("the url %q has a digest, and CDI appends another: the import fails", url),
			Do:    "use a tag; CDI keeps each import by its digest anyway",
		}}
	case rest == "":
		return []Problem{{
			Field: registryField + "url", Text: fmt.Sprintf("the url %q names no image", url), Do: "write docker://registry/repository:tag",
		}}
	}
	return nil
}
