package plan

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/images/imagestream"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// asked is a question in a form that can be compared.
type asked struct {
	Reference string
	Stated    string
	ByClaim   bool
	Problem   string
	Legacy    bool
}

func toAsked(q Question) asked {
	a := asked{Reference: q.Text, Legacy: q.Legacy}
	if q.Stated != nil {
		a.Stated, a.ByClaim = q.Stated.Architectures.String(), q.Stated.ByClaim
	}
	if q.Problem != nil {
		a.Problem = string(q.Problem.ID)
	}
	return a
}

func stream(namespace, name, mode string) imagestream.Stream {
	return imagestream.Stream{Namespace: namespace, Name: name, Tags: []imagestream.Tag{{
		Name: "latest", From: &imagestream.From{Kind: "DockerImage", Name: "quay.io/acme/guest:1"},
		ImportPolicy: imagestream.ImportPolicy{ImportMode: mode},
	}}}
}

// TestQuestion: what is asked of whom.
func TestQuestion(t *testing.T) {
	t.Parallel()
	both, none := fromURL(appURL), fromURL("")
	both.Registry.ImageStream = new(string)
	*both.Registry.ImageStream = "guest"
	emptyStream := fromStream("")
	urlAndEmpty := fromURL(appURL)
	urlAndEmpty.Registry.ImageStream = new(string)
	override := []v1alpha1.Override{{Template: "app", Architectures: []string{"x86_64"}}}
	for _, tc := range []struct {
		reason    string
		source    *cdiv1.DataVolumeSource
		notes     map[string]string
		overrides []v1alpha1.Override
		streams   imagestream.Streams
		want      asked
	}{
		{"a url is asked for as it is written", fromURL(appURL), nil, nil, nil, asked{Reference: appURL}},
		{"an override of the template is believed", fromURL(appURL), nil, override, nil, asked{Stated: "amd64"}},
		{"an override is for sources that nobody can ask, too", fromHTTP(), nil, override, nil, asked{Stated: "amd64"}},
		{
			reason:    "an override of another template is not",
			source:    fromURL(appURL),
			overrides: []v1alpha1.Override{{Template: "application", Architectures: []string{"amd64"}}},
			want:      asked{Reference: appURL},
		},
		{"http cannot be asked", fromHTTP(), nil, nil, nil, asked{Problem: "GA202"}},
		{"a person's claim says it", fromHTTP(), claimed("aarch64"), nil, nil, asked{Stated: "arm64", ByClaim: true}},
		{"a claim of ours says nothing new", fromHTTP(), claimed("arm64", "arm64"), nil, nil, asked{Problem: "GA202"}},
		{"a claim of unknown names says nothing", fromHTTP(), claimed("vax"), nil, nil, asked{Problem: "GA202"}},
		{"an empty source cannot be asked", &cdiv1.DataVolumeSource{}, nil, nil, nil, asked{Problem: "GA202"}},
		{"an archive is no registry, in any case", fromURL("OCI-archive://disk.tar"), nil, nil, nil, asked{Problem: "GA202"}},
		{"a claim says it of an archive as well", fromURL("oci-archive:disk.tar"), claimed("amd64"), nil, nil, asked{Stated: "amd64", ByClaim: true}},
		{"url and imageStream", both, nil, nil, nil, asked{Problem: "GA205"}},
		{"neither", &cdiv1.DataVolumeSource{Registry: &cdiv1.DataVolumeSourceRegistry{}}, nil, nil, nil, asked{Problem: "GA205"}},
		{"an empty url is none", none, nil, nil, nil, asked{Problem: "GA205"}},
		{"an empty imageStream is none", emptyStream, nil, nil, nil, asked{Problem: "GA205"}},
		{"a url beside an empty imageStream", urlAndEmpty, nil, nil, nil, asked{Reference: appURL}},
		{
			reason:  "an ImageStream of the golden images namespace",
			source:  fromStream("guest"),
			streams: imagestream.Streams{stream("kubevirt-os-images", "guest", "PreserveOriginal")},
			want:    asked{Reference: "quay.io/acme/guest:1"},
		},
		{
			reason:  "its import mode is told",
			source:  fromStream("guest"),
			streams: imagestream.Streams{stream("kubevirt-os-images", "guest", "Legacy")},
			want:    asked{Reference: "quay.io/acme/guest:1", Legacy: true},
		},
		{
			reason:  "an ImageStream of another namespace is another one",
			source:  fromStream("guest"),
			streams: imagestream.Streams{stream("images", "guest", "")},
			want:    asked{Problem: "GA203"},
		},
		{"no ImageStream", fromStream("guest"), nil, nil, nil, asked{Problem: "GA203"}},
	} {
		s := subject(entry("app", tc.source, tc.notes))
		s.Spec.Overrides, s.Streams = tc.overrides, tc.streams
		questions := Questions(s)
		if len(questions) != 1 {
			t.Fatalf("%s: want one question, got %d", tc.reason, len(questions))
		}
		if diff := cmp.Diff(tc.want, toAsked(questions[0])); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}

// TestStreamNamespace: CDI looks for an ImageStream in the namespace of the
// DataImportCron.
func TestStreamNamespace(t *testing.T) {
	t.Parallel()
	const own, upstream, downstream = "images", "kubevirt-os-images", "openshift-virtualization-os-images"
	for _, tc := range []struct {
		reason    string
		table     hyperconverged.Table
		namespace string
		want      []string
	}{
		{"the template's own", hyperconverged.OpenShift(), own, []string{own}},
		{"upstream", hyperconverged.Upstream(), "", []string{upstream}},
		{"OpenShift Virtualization", hyperconverged.OpenShift(), "", []string{downstream}},
		{"a table of a user's own does not say", statedTable(""), "", []string{upstream, downstream}},
		{"no table does not say either", hyperconverged.None(), "", []string{upstream, downstream}},
	} {
		template := entry("app", fromStream("guest"), nil)
		template.Metadata.Namespace = tc.namespace
		s := subject(template)
		s.Table = tc.table
		for _, namespace := range []string{own, upstream, downstream} {
			s.Streams = imagestream.Streams{stream(namespace, "guest", "")}
			expected := false
			for _, one := range tc.want {
				expected = expected || one == namespace
			}
			if found := Questions(s)[0].Problem == nil; found != expected {
				t.Errorf("%s: an ImageStream in %q is found: %v, want %v", tc.reason, namespace, found, expected)
			}
		}
	}
}

// TestNotAsked: what needs no answer gets no question.
func TestNotAsked(t *testing.T) {
	t.Parallel()
	off := map[string]string{hyperconverged.EnableAnnotation: "false"}
	s := subject(
		entry("off", fromURL(appURL), off), entry("no-source", nil, nil), stub("no-spec", nil), entry("app", fromURL(appURL), nil),
	)
	// HCO drops this one: it has the name of a predefined template, and their import is off.
	s.Table = hyperconverged.Upstream()
	s.CR.CommonImport = false
	s.CR.Templates = append(s.CR.Templates, entry("fedora-image-cron", fromURL(appURL), nil))
	for i := range s.CR.Templates {
		s.CR.Templates[i].Index = i
	}
	var names []string
	for _, q := range Questions(s) {
		names = append(names, q.Template.Name())
	}
	if diff := cmp.Diff([]string{"app"}, names); diff != "" {
		t.Errorf("only the one with an image is asked for (-want +got):\n%s", diff)
	}
}
