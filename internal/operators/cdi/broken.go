package cdi

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

// Problem is what goes wrong with a DataImportCron that CDI's webhook admits.
type Problem struct {
	// Field is the path in the template: "spec.template.spec.source.registry.url".
	Field string
	Text  string // what goes wrong
	Do    string // what to do
}

const registryField = "spec.template.spec.source.registry."

// maxPolled is how long the name of a cron may be for CDI to poll the image in a pod. The
// CronJob has the name of the cron, a dash and 8 characters of its UID, and the API server
// allows 52 (cdi dataimportcron-controller.go: GetCronJobName, initCron; kubernetes
// pkg/apis/batch/validation/validation.go: ValidateCronJobCreate).
const maxPolled = 52 - 1 - 8

// Broken returns why CDI imports nothing for a cron although its webhook admits the cron. It
// returns nothing for a cron that the webhook refuses: [Refused] reports that.
func Broken(name string, spec cdiv1.DataImportCronSpec) []Problem {
	source := spec.Template.Spec.Source
	switch {
	case source == nil, source.Registry == nil && source.PVC == nil, source.Registry != nil && checkRegistry(*source.Registry) != "":
		return nil
	case source.Registry == nil:
		return unscheduled(spec.Schedule)
	case source.Registry.ImageStream != nil:
		return append(unscheduled(spec.Schedule), brokenStream(*source.Registry.ImageStream)...)
	}
	onNode := source.Registry.PullMethod != nil && *source.Registry.PullMethod == cdiv1.RegistryPullNode
	return slices.Concat(unscheduled(spec.Schedule), unpolled(name, onNode), brokenURL(*source.Registry.URL, onNode))
}

// unpolled reports a name that is too long for the CronJob that looks for the image. CDI looks
// itself with pullMethod node.
func unpolled(name string, onNode bool) []Problem {
	if len(name) <= maxPolled || len(name) > maxName || onNode {
		return nil
	}
	return []Problem{{
		Field: "metadata.name",
		Text: fmt.Sprintf("CDI cannot create the CronJob that looks for the image of DataImportCron %q, so it imports nothing: "+
			"the name has %d characters, and CDI adds 9", name, len(name)),
		Do: fmt.Sprintf("shorten the name: a DataImportCron may have at most %d characters, with the architecture at the end", maxPolled),
	}}
}

// unscheduled reports an empty schedule: CDI polls nothing, and without a digest it imports
// nothing (cdi dataimportcron-controller.go: initCron, update).
func unscheduled(schedule string) []Problem {
	if schedule != "" {
		return nil
	}
	return []Problem{{
		Field: "spec.schedule", Text: "the schedule is empty: CDI never looks for the image, so it imports nothing",
		Do: `write when CDI looks for a new image, such as "0 */12 * * *"`,
	}}
}

// brokenStream checks the name of an ImageStream (cdi dataimportcron-controller.go:
// splitImageStreamName).
func brokenStream(stream string) []Problem {
	name, tag, tagged := strings.Cut(stream, ":")
	if !tagged || name != "" && tag != "" && !strings.Contains(tag, ":") {
		return nil
	}
	return []Problem{{
		Field: registryField + "imageStream",
		Text:  fmt.Sprintf("CDI reads no ImageStream %q: it accepts only a name, or name:tag", stream),
		Do:    "write name or name:tag",
	}}
}

// brokenURL checks a url against each step of CDI. The poller and the importer pass it to
// containers/image (cdi transport.go: parseImageName). With pullMethod node, the node gets
// it without "docker://" as the image of a pod. CDI then removes the tag and appends the
// digest that it found (cdi dataimportcron-controller.go: untagDigestedDockerURL).
func brokenURL(text string, onNode bool) []Problem {
	const docker = cdiv1.RegistrySchemeDocker + "://"
	parsed, err := url.Parse(text)
	if err != nil {
		return nil // the webhook has refused it
	}
	problem := func(says, do string) []Problem {
		return []Problem{{Field: registryField + "url", Text: fmt.Sprintf(says, text), Do: do}}
	}
	image, isDocker := strings.CutPrefix(text, docker)
	switch {
	case parsed.Scheme == cdiv1.RegistrySchemeOci:
		return problem("CDI looks for the archive %q in its own pods, and appends a digest to the path: it never imports anything",
			"push the image to a registry")
	case parsed.User != nil && parsed.Path != "":
		return problem("the url %q has a user name, which CDI does not accept: the import fails",
			"write user and password into a Secret, and its name into secretRef")
	case !isDocker:
		// The webhook parses the scheme like a URL's: it ignores case and does not require
		// "//".
		return problem("the url %q does not begin with docker:// exactly: CDI's webhook accepts it, but the importer does not",
			"write docker://registry/repository:tag")
	case image == "" || image[0] == '/':
		return problem("the url %q names no registry and no image", "write docker://registry/repository:tag")
	case strings.Contains(image, "@"):
		return problem("the url %q has a digest, and CDI appends another one: the import fails",
			"use a tag: CDI stores each import by its digest")
	case !onNode && image[0] == '[':
		// The grammar of containers/image docker/reference has no IPv6 address. A node
		// pulls with its container runtime, which may accept one.
		return problem("the url %q names its registry by an IPv6 address, which CDI's importer cannot read: the import fails",
			"name the registry by a host name that resolves to the address")
	case !onNode && !strings.Contains(image, "/") && strings.Contains(image, ":"):
		// A URL parser reads this as a host and a port, so CDI does not find the tag.
		return problem("the url %q has a tag and no path: CDI keeps the tag when it appends a digest, and its importer accepts only one of them",
			"name the registry and the repository: docker://docker.io/library/name:tag")
	}
	return nil
}
