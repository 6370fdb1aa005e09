package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/engine/check"
	"github.com/goldenarch/goldenarch/internal/finding"
)

// watchedCase is a CR with one template on a cluster.
type watchedCase struct {
	release    string
	minor      int    // of HCO
	apiVersion string // v1beta1 or v1
	gate       string // "", "true" or "false"
	value      string // of the annotation of the template, "-" for none
	image      string // the architectures of its image
	workload   string
	platform   string
}

func (c watchedCase) String() string {
	return fmt.Sprintf("%s %s gate %q declares %q image %s nodes %s on %s", c.release, c.apiVersion, c.gate, c.value, c.image, c.workload, c.platform)
}

// alerts returns the alerts that HCO's code makes of the case. With the gate on HCO writes two
// metrics about each template (hco operator_metrics.go, golden_images.go:
// removeUnsupportedArchs), with the gate off one about the cluster (operator_collectors.go).
// Neither exists on plain Kubernetes, where HCO has no templates, or before 1.16.
func (c watchedCase) alerts() []string {
	workload := strings.Split(c.workload, ",")
	switch {
	case c.platform != "openshift":
		return nil
	case c.gate != "true" && len(workload) > 1:
		return []string{"HCOMultiArchGoldenImagesDisabled"}
	case c.gate != "true":
		return nil
	case c.value == "-" || c.value == "":
		return []string{"HCOGoldenImageWithNoArchitectureAnnotation"}
	case !slices.ContainsFunc(strings.Split(c.value, ","), func(part string) bool { return slices.Contains(workload, part) }):
		return []string{"HCOGoldenImageWithNoSupportedArchitecture"}
	default:
		return nil
	}
}

// errors returns what else is wrong with the case.
func (c watchedCase) errors() []finding.ID {
	var out []finding.ID
	workload, image := strings.Split(c.workload, ","), strings.Split(c.image, ",")
	missing := func(a string) bool { return slices.Contains(workload, a) && !slices.Contains(image, a) }
	switch {
	case c.platform != "openshift":
	case c.gate != "true" && !slices.ContainsFunc(image, func(a string) bool { return slices.Contains(workload, a) }):
		out = append(out, finding.DiffersAsCommitted) // no node can boot from the image: goldenarch disables the template
	case c.gate == "true" && slices.ContainsFunc(strings.Split(c.value, ","), missing):
		out = append(out, finding.ImportFails)
	}
	return out
}

// items returns the CR of the case, with annotations of its own.
func (c watchedCase) items(annotations string) []*yaml.RNode {
	declared := ""
	if c.value != "-" {
		declared = fmt.Sprintf(`, annotations: {ssp.kubevirt.io/dict.architectures: %q}`, c.value)
	}
	templates := `dataImportCronTemplates: [{metadata: {name: app` + declared + `}, spec: {managedDataSource: app, schedule: "0 0 * * *",
		template: {spec: {source: {registry: {url: "docker://quay.io/acme/app:1"}}, storage: {resources: {requests: {storage: 1Gi}}}}}}}]`
	gate := ""
	if c.gate != "" {
		gate = ", enableMultiArchBootImageImport: " + c.gate
	}
	spec := templates
	switch {
	case c.apiVersion == "v1" && c.minor == 18:
		spec = "workloadSources: {" + templates + "}"
		if c.gate != "" {
			spec += ", featureGates: [{name: enableMultiArchBootImageImport, state: " + map[string]string{"true": "Enabled", "false": "Disabled"}[c.gate] + "}]"
		}
	case c.apiVersion == "v1":
		spec = "workloadSources: {" + templates + gate + "}"
	case c.gate != "":
		spec += ", featureGates: {" + strings.TrimPrefix(gate, ", ") + "}"
	}
	return []*yaml.RNode{yaml.MustParse(`{apiVersion: hco.kubevirt.io/` + c.apiVersion + `, kind: HyperConverged,
		metadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged` + annotations + `}, spec: {` + spec + `}}`)}
}

// config returns the configuration of the case, with more fields.
func (c watchedCase) config(more string) []Step {
	return Given(yaml.MustParse(`{apiVersion: goldenarch.dev/v1alpha1, kind: GoldenImages, metadata: {name: c}, spec: {release: "` + c.release + `",
		predefined: none, platform: ` + c.platform + `, cluster: {workloadArchitectures: [` + c.workload + `], controlPlaneArchitectures: [amd64]},
		overrides: [{image: "quay.io/acme/app:1", architectures: [` + c.image + `]}]` + more + `}}`))
}

// watchedCases returns the cases of the table.
func watchedCases() []watchedCase {
	releases := []watchedCase{
		{release: "1.16", minor: 16, apiVersion: "v1beta1"},
		{release: "1.17", minor: 17, apiVersion: "v1beta1"},
		{release: "1.18", minor: 18, apiVersion: "v1beta1"},
		{release: "1.18", minor: 18, apiVersion: "v1"},
		{release: "1.19", minor: 19, apiVersion: "v1"},
		{release: "1.20", minor: 20, apiVersion: "v1beta1"},
		{release: "1.20", minor: 20, apiVersion: "v1"},
		{release: "4.20", minor: 16, apiVersion: "v1beta1"},
		{release: "4.21", minor: 17, apiVersion: "v1beta1"},
		{release: "4.22", minor: 18, apiVersion: "v1beta1"},
		{release: "5.0", minor: 19, apiVersion: "v1"},
	}
	const has = "amd64,arm64"
	var out []watchedCase
	for _, c := range releases {
		for _, c.gate = range []string{"", "false", "true"} {
			for _, template := range []struct{ value, image string }{
				{"amd64,arm64", has}, {"arm64", has}, {"amd64,s390x", has}, // fits, or fits partly
				{"s390x", has}, {"ppc64le", "ppc64le"}, {"-", "ppc64le"}, // fits nothing
				{"-", has}, {"", has}, {" ", has}, {"foo", has}, // no annotation, or it names nothing
			} {
				for _, c.workload = range []string{"amd64", "amd64,arm64", "amd64,s390x", "amd64,arm64,s390x"} {
					for _, c.platform = range []string{"openshift", "kubernetes"} {
						c.value, c.image = template.value, template.image
						out = append(out, c)
					}
				}
			}
		}
	}
	return out
}

// alertsOf returns the alerts that errors among findings name, and the ids of the other errors.
func alertsOf(found finding.List) (alerts []string, others []finding.ID) {
	for _, f := range found {
		switch {
		case f.Severity != finding.Error:
		case f.ID == finding.GateAlert || f.ID == finding.AlertFires:
			_, name, _ := strings.Cut(f.Text, "alert HCO")
			name, _, _ = strings.Cut(name, " ")
			alerts = append(alerts, "HCO"+name)
		default:
			others = append(others, f.ID)
		}
	}
	return alerts, others
}

// checked returns the findings of a check of the case.
func (c watchedCase) checked(t *testing.T, annotations, more string) finding.List {
	t.Helper()
	out := Function{}.Check(t.Context(), c.items(annotations), c.config(more))
	out.Except()
	return out.Findings
}

// TestAlertsAreErrors: a check is red where HCO's code makes an alert fire, and says which one. Where
// none fires, it is red only for what the case says.
func TestAlertsAreErrors(t *testing.T) {
	t.Parallel()
	for _, c := range watchedCases() {
		found := c.checked(t, "", "")
		alerts, others := alertsOf(found)
		if !slices.Equal(alerts, c.alerts()) || !slices.Equal(others, c.errors()) {
			t.Errorf("%s: want alerts %v and errors %v, got %v and %v\n%s", c, c.alerts(), c.errors(), alerts, others, found)
		}
		if len(c.alerts())+len(c.errors()) == 0 && c.gate != "true" && !strings.Contains(c.workload, ",") && found.Has(finding.GateAlert) {
			t.Errorf("%s: one architecture with the gate off needs no word\n%s", c, found)
		}
	}
}

// TestAcceptedAlerts: each way in which a person accepts an alert makes the check green as far as the
// alert goes, and none accepts another alert.
func TestAcceptedAlerts(t *testing.T) {
	t.Parallel()
	const (
		disabled    = "HCOMultiArchGoldenImagesDisabled"
		unsupported = "HCOGoldenImageWithNoSupportedArchitecture"
		missing     = "HCOGoldenImageWithNoArchitectureAnnotation"
	)
	ignore := func(id finding.ID) string {
		return `, annotations: {goldenarch.dev/ignore: "` + string(id) + `: known"}`
	}
	for _, tc := range []struct {
		reason, more, annotations string
		accepts                   []string
	}{
		{"nothing", "", "", nil},
		{"the gate stays as it is", ", gate: Keep", "", []string{disabled}},
		{"templates without an image stay", ", unsupported: Keep", "", []string{unsupported}},
		{"images that are not known stay, and this one is known", ", unresolved: Keep", "", nil},
		{"declarations stay, which accepts nothing", ", existing: Keep", "", nil},
		{"an exception for the gate", ", findings: {GA430: Warning}", "", []string{disabled}},
		{"an exception for templates", ", findings: {GA515: Ignore}", "", []string{unsupported, missing}},
		{"an exception on the CR for the gate", "", ignore(finding.GateAlert), []string{disabled}},
		{"an exception on the CR for templates", "", ignore(finding.AlertFires), []string{unsupported, missing}},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			for _, c := range watchedCases() {
				if len(c.alerts()) == 0 || !slices.Contains([]string{"4.22", "5.0"}, c.release) || c.image != "amd64,arm64" {
					continue
				}
				want := slices.DeleteFunc(c.alerts(), func(alert string) bool { return slices.Contains(tc.accepts, alert) })
				found := c.checked(t, tc.annotations, tc.more)
				if alerts, others := alertsOf(found); !slices.Equal(alerts, want) || len(others) > 0 && !slices.Contains(c.errors(), others[0]) {
					t.Errorf("%s: want alerts %v, got %v and %v\n%s", c, want, alerts, others, found)
				}
			}
		})
	}
}

// TestOneAlertForSeveralTemplates: an alert is one finding, with all its templates, and one exception
// accepts it.
func TestOneAlertForSeveralTemplates(t *testing.T) {
	t.Parallel()
	c := watchedCase{release: "1.20", minor: 20, apiVersion: "v1", gate: "true", value: "-", image: "amd64,arm64", workload: "amd64,arm64", platform: "openshift"}
	for _, tc := range []struct {
		more  string
		wants int
	}{{"", 1}, {", findings: {GA515: Warning}", 0}} {
		item := c.items("")[0]
		templates := item.Field("spec").Value.Field("workloadSources").Value.Field("dataImportCronTemplates").Value
		other := yaml.MustParse(strings.ReplaceAll(templates.MustString(), "name: app", "name: other"))
		if err := templates.PipeE(yaml.Append(other.YNode().Content...)); err != nil {
			t.Fatal(err)
		}
		checked := Function{}.Check(t.Context(), []*yaml.RNode{item}, c.config(tc.more))
		checked.Except()
		if alerts, others := alertsOf(checked.Findings); len(alerts) != tc.wants || len(others) > 0 {
			t.Errorf("with %q: want %d alerts, got %v and %v\n%s", tc.more, tc.wants, alerts, others, checked.Findings)
		}
		text := checked.Findings.String()
		if strings.Count(text, string(finding.AlertFires)+" HyperConverged") != 1 || !strings.Contains(text, `2 templates ("app", "other")`) {
			t.Errorf("with %q: want one finding with both templates\n%s", tc.more, text)
		}
	}
}

// TestAdviceAboutADeclaration: where a node can run the image, only the declaration is wrong.
func TestAdviceAboutADeclaration(t *testing.T) {
	t.Parallel()
	c := watchedCase{
		release: "1.20", minor: 20, apiVersion: "v1", gate: "true", value: "s390x", image: "amd64,arm64", workload: "amd64,arm64", platform: "openshift",
	}
	found := c.checked(t, "", ", existing: Keep")
	i := slices.IndexFunc(found, func(f finding.Finding) bool { return f.ID == finding.AlertFires })
	if i < 0 || !strings.HasPrefix(found[i].Do, "set the annotation ssp.kubevirt.io/dict.architectures to the architectures of the image;") {
		t.Errorf("want the advice to declare what the image has\n%s", found)
	}
}

// TestAlertsOfWhatIsCommitted: where rendering on the way ends an alert, what is committed is not right by itself.
func TestAlertsOfWhatIsCommitted(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]bool{"-": true, "s390x": true, "amd64,arm64": false} {
		c := watchedCase{
			release: "1.20", minor: 20, apiVersion: "v1", gate: "true", value: value, image: "amd64,arm64", workload: "amd64,arm64", platform: "openshift",
		}
		checked := Function{Caller: check.Caller{As: check.Rendered}}.Check(t.Context(), c.items(""), c.config(""))
		if checked.Findings.Failed() || checked.NeedsRendering != want {
			t.Errorf("%s: want rendering needed %t and no error, got %t\n%s", c, want, checked.NeedsRendering, checked.Findings)
		}
	}
}

// TestUnknownImageAccepted: where nothing is known about an image, and a person accepts that, so is the
// alert that its template declares nothing. One that declares what no node has is no unknown image.
func TestUnknownImageAccepted(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		value string
		red   bool
	}{{"-", false}, {"s390x", true}} {
		c := watchedCase{release: "1.20", minor: 20, apiVersion: "v1", gate: "true", value: tc.value, workload: "amd64,arm64", platform: "openshift"}
		config := yaml.MustParse(`{apiVersion: goldenarch.dev/v1alpha1, kind: GoldenImages, metadata: {name: c}, spec: {release: "1.20", predefined: none,
			cluster: {workloadArchitectures: [amd64, arm64], controlPlaneArchitectures: [amd64]}, lock: {mode: Require}, unresolved: Keep}}`)
		if found := (Function{}).Check(t.Context(), c.items(""), Given(config)).Findings; found.Failed() != tc.red {
			t.Errorf("declares %q: want red %t, got\n%s", tc.value, tc.red, found)
		}
	}
}

// TestFixedAlerts: after fix the check is green. What a person turned off explicitly stays off, and red.
func TestFixedAlerts(t *testing.T) {
	t.Parallel()
	for _, c := range watchedCases() {
		if len(c.alerts()) == 0 || !slices.Contains([]string{"1.16", "5.0"}, c.release) {
			continue
		}
		fixed, _, found := (Function{}).Fix(t.Context(), c.items(""), c.config(""))
		if found.Failed() {
			t.Errorf("%s: fix fails: %s", c, found)
			continue
		}
		after := (Function{}).Check(t.Context(), fixed, c.config("")).Findings
		boots := strings.Contains(c.image, "amd64") // otherwise fix disables the only template
		if off := c.gate == "false" && boots; after.Failed() != off || off && !after.Has(finding.GateAlert) {
			t.Errorf("%s: after fix: want red %t\n%s", c, off, after)
		}
	}
}
