package olm

import (
	"fmt"
	"strings"

	"github.com/goldenarch/goldenarch/internal/finding"
)

// csvVersion is the only version of a ClusterServiceVersion.
const csvVersion = "operators.coreos.com/v1alpha1"

// CheckBundle reports a bundle whose manifests do not have exactly one ClusterServiceVersion
// that OLM reads. objects are those of the manifests, and file is the file that makes the
// directory a bundle. A ClusterServiceVersion is recognized by its kind, as operator-framework/
// api does (pkg/manifests/bundleloader.go).
func CheckBundle(file string, objects []finding.Object) finding.List {
	var csvs []finding.Object
	var found finding.List
	for _, at := range objects {
		if at.Kind != "ClusterServiceVersion" {
			continue
		}
		csvs = append(csvs, at)
		if at.APIVersion != csvVersion {
			found = append(found, finding.Finding{
				ID: finding.BundleInvalid, Severity: finding.Error, Object: at, Field: "apiVersion", Current: at.APIVersion, Proposed: csvVersion,
				Text: fmt.Sprintf("the ClusterServiceVersion has the apiVersion %q, and OLM reads only %s", at.APIVersion, csvVersion),
				Do:   "correct apiVersion",
			})
		}
	}
	switch {
	case len(csvs) == 0:
		found = append(found, finding.Finding{
			ID: finding.BundleInvalid, Severity: finding.Error, Object: finding.Object{File: file},
			Text: "the manifests of the bundle have no ClusterServiceVersion, so OLM installs nothing",
			Do:   "add it to the directory that the annotation operators.operatorframework.io.bundle.manifests.v1 names, or correct the annotation",
		})
	case len(csvs) > 1:
		var names []string
		for _, at := range csvs {
			names = append(names, at.Name)
		}
		found = append(found, finding.Finding{
			ID: finding.BundleInvalid, Severity: finding.Error, Object: csvs[1],
			Text: fmt.Sprintf("the bundle has %d ClusterServiceVersions, and OLM accepts one: %s", len(csvs), strings.Join(names, ", ")),
			Do:   "make a bundle of each version",
		})
	}
	return found
}

// Outside reports a bundle whose annotation names a directory outside of the bundle. It is
// then no part of the bundle image.
func Outside(file, annotation, manifests string) finding.Finding {
	return finding.Finding{
		ID: finding.BundleInvalid, Severity: finding.Error, Object: finding.Object{File: file}, Field: "annotations[" + annotation + "]", Current: manifests,
		Text: fmt.Sprintf("the annotation %s is %s, which is not a directory in the bundle, so goldenarch reads no manifests of it", annotation, manifests),
		Do:   "name the directory of the manifests: manifests/",
	}
}
