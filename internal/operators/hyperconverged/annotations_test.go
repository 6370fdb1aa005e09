package hyperconverged

import "testing"

func TestNearAnnotations(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ reason, annotations, want string }{
		{"a singular", "ssp.kubevirt.io/dict.architecture: amd64", ClaimAnnotation},
		{"a slip", "ssp.kubevirt.io/dict.architecures: amd64", ClaimAnnotation},
		{"another case", "ssp.kubevirt.io/dict.Architectures: amd64", ClaimAnnotation},
		{"another prefix of the project", "cdi.kubevirt.io/dict.architectures: amd64", ClaimAnnotation},
		{"no prefix", "dict.architectures: amd64", ClaimAnnotation},
		{"a slip in the prefix", "ssp.kubvirt.io/dict.architectures: amd64", ClaimAnnotation},
		{"the enable annotation, as a participle", `dataimportcrontemplate.kubevirt.io/enabled: "false"`, EnableAnnotation},
		{"the enable annotation, with a plural prefix", `dataimportcrontemplates.kubevirt.io/enable: "false"`, EnableAnnotation},
		{"the bind annotation", `cdi.kubevirt.io/storage.bind.immediate.request: "true"`, BindAnnotation},
		{"a mark of ours", "goldenarch.dev/claims: amd64", WrittenAnnotation},
		{"why a template is disabled", "goldenarch.dev/disabled_because: taken-over", DisabledAnnotation},

		{"the right ones", "ssp.kubevirt.io/dict.architectures: amd64, goldenarch.dev/claim: amd64, dataimportcrontemplate.kubevirt.io/enable: 'true'", ""},
		{"the right one beside it", "ssp.kubevirt.io/dict.architectures: amd64, ssp.kubevirt.io/dict.architecture: amd64", ""},
		{
			reason: "others of SSP and CDI",
			annotations: "ssp.kubevirt.io/owner: a, cdi.kubevirt.io/storage.usePopulator: 'true', " +
				"cdi.kubevirt.io/storage.deleteAfterCompletion: 'true', cdi.kubevirt.io/storage.bind.immediate: a",
		},
		{"a stranger's enable", "acme.example/enable: 'true', kubevirt.io/enable: 'true'", ""},
		{"a stranger's claim", "acme.example/claim: a", ""},
		{"a stranger's architectures", "acme.example/dict.architectures: a", ""},
		{"a name without a prefix that is common", "enable: 'true', claim: a", ""},
	} {
		for _, version := range []Version{V1beta1, V1} {
			entry := "{dataImportCronTemplates: [{metadata: {name: a, annotations: {" + tc.annotations + "}}}]}"
			if version == V1 {
				entry = "{workloadSources: " + entry + "}"
			}
			cr, _ := parseYAML(t, version, entry)
			if cr == nil {
				t.Fatalf("%s: the CR cannot be read", tc.reason)
			}
			var got string
			for _, f := range cr.misspelledAnnotations() {
				key, _ := f.Proposed.(string)
				got += key
			}
			if got != tc.want {
				t.Errorf("%s, %s: want %q, got %q", tc.reason, version, tc.want, got)
			}
		}
	}
}
