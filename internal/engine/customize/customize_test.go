package customize

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/engine/input"
	"github.com/goldenarch/goldenarch/internal/engine/join"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/plan"
	"github.com/goldenarch/goldenarch/transformers"
)

const (
	head     = "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata: {name: kubevirt-hyperconverged}\n"
	fedora   = "fedora-image-cron"
	rhel     = "rhel9-image-cron"
	disabled = `dataimportcrontemplate.kubevirt.io/enable: "false"`
	ours     = disabled + `, goldenarch.dev/disabled-because: no-supported-architecture`
)

// withTemplates returns a CR whose list has these entries.
func withTemplates(entries ...string) string {
	if len(entries) == 0 {
		return head + "spec: {}\n"
	}
	return head + "spec:\n  dataImportCronTemplates:\n  - " + strings.Join(entries, "\n  - ") + "\n"
}

// entry returns an entry of the list with annotations and with a source.
func entry(name, annotations, source string) string {
	text := "{metadata: {name: " + name + ", annotations: {" + annotations + "}}"
	if source == "" {
		return text + "}"
	}
	return text + ", spec: {managedDataSource: a, schedule: x, template: {spec: {source: {" + source + "}}}}}"
}

func subjectOf(t *testing.T, cr string, table hyperconverged.Table, live string) join.Joined {
	t.Helper()
	model, found := hyperconverged.Parse(asJSON(t, cr))
	if model == nil {
		t.Fatal(found)
	}
	o := object.Object{Node: yaml.MustParse(cr)}
	s := join.Joined{Resource: input.Resource{Object: o, Model: model}, Known: plan.Known{CR: model, Table: table}}
	if live != "" {
		if s.Live, found = hyperconverged.ParseLive(asJSON(t, live)); s.Live == nil {
			t.Fatal(found)
		}
	}
	return s
}

func asJSON(t *testing.T, text string) []byte {
	t.Helper()
	data, err := k8syaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestSwitch: what a request does to the enable annotation of an entry.
func TestSwitch(t *testing.T) {
	t.Parallel()
	const registry = "registry: {url: 'docker://quay.io/a/b:1'}"
	for _, tc := range []struct {
		reason  string
		cr      string
		request transformers.Switch
		image   string
		want    transformers.Switch
		ids     string
	}{
		{reason: "it is enabled without an entry", request: transformers.Enable},
		{reason: "what goldenarch disabled, too", cr: entry(fedora, ours, registry), request: transformers.Enable, want: transformers.Enable},
		{reason: "the same image in a disabled entry is reported, too", cr: entry(fedora, disabled, registry), image: "docker://quay.io/a/b:1", ids: "GA844"},
	} {
		var entries []string
		if tc.cr != "" {
			entries = []string{tc.cr}
		}
		s := subjectOf(t, withTemplates(entries...), hyperconverged.Upstream(), "")
		got, found := Edit(s, Request{Template: fedora, Image: tc.image, Switch: tc.request})
		if got.Switch != tc.want || idsOf(found) != tc.ids {
			t.Errorf("%s: %v and %q, want %v and %q", tc.reason, got.Switch, idsOf(found), tc.want, tc.ids)
		}
		if got.Index != len(entries)-1 {
			t.Errorf("%s: the entry %d", tc.reason, got.Index)
		}
	}
}

func idsOf(found finding.List) string {
	var ids []string
	for _, f := range found {
		ids = append(ids, string(f.ID))
	}
	return strings.Join(ids, " ")
}

// TestCopied: an entry gets the spec and the annotations of the predefined template, without
// what HCO and goldenarch compute.
func TestCopied(t *testing.T) {
	t.Parallel()
	shipped, _ := hyperconverged.Upstream().Find(fedora)
	shipped = *deepCopy(shipped)
	shipped.Metadata.Annotations = map[string]string{
		"a": "b", hyperconverged.ClaimAnnotation: "amd64", hyperconverged.EnableAnnotation: "true",
		hyperconverged.WrittenAnnotation: "amd64", hyperconverged.DisabledAnnotation: "x",
	}
	before := len(shipped.Metadata.Annotations)
	notes, spec := copied(shipped)
	if diff := cmp.Diff(map[string]string{"a": "b"}, notes); diff != "" {
		t.Errorf("the annotations (-want +got):\n%s", diff)
	}
	if len(shipped.Metadata.Annotations) != before {
		t.Error("the predefined template has lost its annotations")
	}
	text, err := k8syaml.Marshal(shipped.Spec)
	if err != nil {
		t.Fatal(err)
	}
	var want, got map[string]any
	if err := k8syaml.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	if err := k8syaml.Unmarshal([]byte(yaml.NewRNode(spec).MustString()), &got); err != nil {
		t.Fatal(err)
	}
	volume, ok := want["template"].(map[string]any)
	if !ok {
		t.Fatalf("no template in %v", want)
	}
	delete(volume, "metadata")
	delete(volume, "status")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the spec (-want +got):\n%s", diff)
	}
	shipped.Spec.Template.Labels = map[string]string{"c": "d"}
	_, spec = copied(shipped)
	if err := spec.Decode(&got); err != nil {
		t.Fatal(err)
	}
	if volume, _ := got["template"].(map[string]any); volume["metadata"] == nil {
		t.Error("metadata that says something is lost")
	}
}

func deepCopy(p hyperconverged.Predefined) *hyperconverged.Predefined {
	p.Metadata, p.Spec = &[]hyperconverged.TemplateMetadata{*p.Metadata}[0], p.Spec.DeepCopy()
	return &p
}

// TestUnknown: a name that is wrong, and what goldenarch advises.
func TestUnknown(t *testing.T) {
	t.Parallel()
	const live = head + "spec: {}\nstatus: {dataImportCronTemplates: []}\n"
	for _, tc := range []struct {
		reason, name, cr, live string
		table                  hyperconverged.Table
		want                   string
	}{
		{"a letter is wrong", "fedora-image-corn", withTemplates(), "", hyperconverged.Upstream(), `did you mean "fedora-image-cron"?`},
		{"the name of the DataSource begins the one of the template", "Fedora", withTemplates(), "", hyperconverged.Upstream(), `did you mean "fedora-image-cron"?`},
		{
			"two begin so, and goldenarch does not choose", "centos", withTemplates(), "", hyperconverged.Upstream(),
			"use one of centos-stream10-image-cron, centos-stream9-image-cron, fedora-image-cron",
		},
		{
			"no name at all", "", withTemplates(), "", hyperconverged.Upstream(),
			"use one of centos-stream10-image-cron, centos-stream9-image-cron, fedora-image-cron",
		},
		{"the entries of the CR count", "mime", withTemplates(entry("mine", "", "")), "", hyperconverged.None(), `did you mean "mine"?`},
		{"an entry without a name has none to use", "x", withTemplates("{spec: {}}"), "", hyperconverged.None(), ""},
		{"there is nothing to name", "x", withTemplates(), "", hyperconverged.None(), ""},
		{"the live CR may show more", "fedora", withTemplates(), "", hyperconverged.OpenShift(), `did you mean "fedora-image-cron"?; or ` + passLive},
		{"it is there already", "fedora", withTemplates(), live, hyperconverged.OpenShift(), `did you mean "fedora-image-cron"?`},
	} {
		s := subjectOf(t, tc.cr, tc.table, tc.live)
		got, found := Edit(s, Request{Template: tc.name, Switch: transformers.Disable})
		if idsOf(found) != "GA840" || !found.Failed() || found[0].Do != tc.want || !got.Empty() && got.Switch != transformers.Leave {
			t.Errorf("%s: %v (%q), want %q", tc.reason, found, found[0].Do, tc.want)
		}
	}
}

// TestUncertain: goldenarch copies no spec that it does not know.
func TestUncertain(t *testing.T) {
	t.Parallel()
	status := func(name, of string) string {
		return head + "spec: {}\nstatus:\n  dataImportCronTemplates:\n  - " + strings.TrimSuffix(entry(name, "", "registry: {url: 'docker://quay.io/a/b:1'}"), "}") +
			", status: {" + of + "}}\n"
	}
	stated := hyperconverged.Upstream()
	for i := range stated.Templates {
		stated.Templates[i].From = hyperconverged.Configuration
	}
	const advice = "state the template in spec.predefinedTemplates"
	for _, tc := range []struct {
		reason   string
		name     string
		cr, live string
		table    hyperconverged.Table
		text, do string
	}{
		{reason: "upstream's are known", name: fedora, table: hyperconverged.Upstream()},
		{
			reason: "OpenShift's are known from documentation",
			name:   rhel,
			table:  hyperconverged.OpenShift(),
			text:   "only from documentation",
			do:     "pass the live CR, whose status has the template: --live FILE",
		},
		{
			reason: "the live CR does not show the template",
			name:   rhel,
			table:  hyperconverged.OpenShift(),
			live:   status("other", "commonTemplate: true"),
			text:   "because it disables it or its status is not complete",
			do:     advice,
		},
		{
			reason: "the live CR customizes it, so its status has the result",
			name:   fedora,
			table:  hyperconverged.Upstream(),
			live:   status(fedora, "commonTemplate: true, modified: true"),
			text:   "its status does not show the predefined one",
			do:     "add the entry of the live CR's spec to this CR first, or " + advice,
		},
		{
			reason: "the configuration states it, whatever the live CR does",
			name:   fedora,
			table:  stated,
			live:   status(fedora, "commonTemplate: true, modified: true"),
		},
		{reason: "the live CR leaves it as it is", name: fedora, table: hyperconverged.Upstream(), live: status(fedora, "commonTemplate: true")},
		{
			reason: "an entry without a spec that nobody ships",
			name:   "mine",
			cr:     entry("mine", disabled, ""),
			table:  hyperconverged.Upstream(),
			text:   "no predefined template has its name",
			do:     "add the spec to the CR",
		},
	} {
		var entries []string
		if tc.cr != "" {
			entries = []string{tc.cr}
		}
		s := subjectOf(t, withTemplates(entries...), tc.table, tc.live)
		got, found := Edit(s, Request{Template: tc.name, Image: "docker://quay.io/a/b:2", Switch: transformers.Enable})
		if tc.text == "" {
			if found.Failed() || got.Spec == nil {
				t.Errorf("%s: want a copy, got %v", tc.reason, found)
			}
			continue
		}
		if idsOf(found) != "GA841" || !found.Failed() || got.Spec != nil || !strings.Contains(found[0].Text, tc.text) || found[0].Do != tc.do {
			t.Errorf("%s: want %q and the advice %q, got %v", tc.reason, tc.text, tc.do, found)
		}
	}
}

// TestNames: what a message calls the source of a template.
func TestNames(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ reason, source, url, name string }{
		{"a registry", "registry: {url: 'docker://quay.io/a/b:1'}", "docker://quay.io/a/b:1", "docker://quay.io/a/b:1"},
		{"an ImageStream", "registry: {imageStream: rhel9-guest}", "", `the ImageStream "rhel9-guest"`},
		{"both, and CDI refuses it", "registry: {url: 'docker://a', imageStream: b}", "", `the ImageStream "b"`},
		{"an empty ImageStream is as good as none", "registry: {url: 'docker://a', imageStream: ''}", "", "docker://a"},
		{"an empty registry", "registry: {}", "", ""},
		{"another kind", "http: {url: 'https://x/y'}", "", `a source of kind "http"`},
		{"no spec", "", "", ""},
	} {
		s := subjectOf(t, withTemplates(entry("a", "", tc.source)), hyperconverged.None(), "")
		if got := URL(s.CR.Templates[0]); got != tc.url {
			t.Errorf("%s: the url %q, want %q", tc.reason, got, tc.url)
		}
		if got := sourceName(s.CR.Templates[0]); got != tc.name {
			t.Errorf("%s: the name %q, want %q", tc.reason, got, tc.name)
		}
	}
}
