package hyperconverged

import (
	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
)

// past is a template that the upstream table had in some releases before 1.16 (hco
// assets/dataImportCronTemplates, branches release-1.6 to release-1.15).
type past struct {
	name, dataSource, url, size string
	first, last                 int
}

// upstreamPast has all past templates. The names come from the branches. The sources and
// sizes are those that public configurations use for these names.
var upstreamPast = []past{
	{"centos-7-image-cron", "centos7", "docker://quay.io/containerdisks/centos:7-2009", "10Gi", 6, 8},
	{"centos-stream8-image-cron", "centos-stream8", "docker://quay.io/containerdisks/centos-stream:8", "10Gi", 6, 8},
	{"centos-stream9-image-cron", "centos-stream9", "docker://quay.io/containerdisks/centos-stream:9", "10Gi", 6, 15},
	{"centos-stream10-image-cron", "centos-stream10", "docker://quay.io/containerdisks/centos-stream:10", "10Gi", 13, 15},
	{"fedora-image-cron", "fedora", "docker://quay.io/containerdisks/fedora:latest", "5Gi", 6, 15},
}

// The labels that the upstream table had from 1.9 to 1.12.
const (
	instancetypeLabel = "instancetype.kubevirt.io/default-instancetype"
	preferenceLabel   = "instancetype.kubevirt.io/default-preference"
)

// At returns the table as HCO of a release has it. Before 1.18 it omits the defaults that
// HCO adds when it loads the table. Before 1.16 it is the upstream table with the templates
// of that release, none of which has declared architectures. An undeclared release is the
// newest. A spec that the running HCO or a user states as a whole stays unchanged.
func (t Table) At(release v1alpha1.Release) Table {
	if t.settled {
		return t
	}
	if t.Name == "upstream" && !release.Since(firstMultiArch) {
		t = upstreamAt(release.Minor())
	}
	out := Table{Name: t.Name, Templates: make([]Predefined, 0, len(t.Templates)), settled: true}
	for _, p := range t.Templates {
		if p.Spec != nil && !p.whole {
			spec := *p.Spec
			spec.RetentionPolicy, spec.ImportsToKeep = retention(release)
			p.Spec = &spec
		}
		out.Templates = append(out.Templates, p)
	}
	return out
}

// retention returns the defaults that HCO adds, from 1.18 on, to a predefined template when
// it loads the template (hco golden_images.go).
func retention(release v1alpha1.Release) (*cdiv1.DataImportCronRetentionPolicy, *int32) {
	if !release.Since(firstV1) {
		return nil, nil
	}
	none, keep := cdiv1.DataImportCronRetainNone, int32(1)
	return &none, &keep
}

func upstreamAt(minor int) Table {
	var list []Predefined
	for _, one := range upstreamPast {
		if minor < one.first || minor > one.last {
			continue
		}
		p := upstream(one.name, one.dataSource, one.url, one.size, "")
		delete(p.Metadata.Annotations, ClaimAnnotation)
		if minor < firstBind {
			delete(p.Metadata.Annotations, BindAnnotation)
		}
		p.Metadata.Labels = pastLabels(minor, one.dataSource)
		list = append(list, p)
	}
	return newTable("upstream", list...)
}

// pastLabels returns the instance type and the preference of a template.
func pastLabels(minor int, dataSource string) map[string]string {
	if minor < 9 || minor > 12 {
		return nil
	}
	instancetype, preference := "u1.medium", dataSource
	if minor == 9 {
		instancetype = "server.medium"
	}
	if dataSource == "centos-stream9" {
		preference = "centos.stream9"
		if minor < 11 {
			preference = "centos.9.stream"
		}
	}
	return map[string]string{instancetypeLabel: instancetype, preferenceLabel: preference}
}
