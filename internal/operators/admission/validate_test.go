package admission

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// TestValidate holds what HCO's validating webhook says.
func TestValidate(t *testing.T) {
	t.Parallel()
	const (
		wrongAffinity = "{nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: " +
			"{nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Exists, values: [b]}]}]}}}"
		wrongAffinityDenied = "invalid workloads node placement affinity: nodeSelectorTerms[0].matchExpressions[0].values: Invalid value: [\"b\"]: " +
			"values set must be empty for exists and does not exist"
		gate    = "the enableMultiArchBootImageImport featureGate is deprecated and will be removed in a future release."
		badTerm = "{nodePlacement: {affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: " +
			"{nodeSelectorTerms: [{matchExpressions: [{key: a, operator: In, values: []}]}]}}}}}"
		affinity = ` node placement affinity: nodeSelectorTerms[0].matchExpressions[0].values: Invalid value: []: for 'in', ` +
			`'notin' operators, values set can't be empty`
		panicked  = "validator: runtime error: invalid memory address or nil pointer dereference"
		disabled  = "annotations: {dataimportcrontemplate.kubevirt.io/enable: 'False'}"
		enableBad = `the dataimportcrontemplate.kubevirt.io/enable annotation of a dataImportCronTemplate must be either "true" or "false"`
		noSpec    = "dataImportCronTemplate spec is empty for an enabled DataImportCronTemplate"
		secure    = "ciphers: [ECDHE-RSA-AES128-GCM-SHA256]"
	)
	templates := func(entries string) string { return "spec: {dataImportCronTemplates: [" + entries + "]}" }
	for _, tc := range []struct {
		reason   string
		release  string
		version  hyperconverged.Version
		fields   string
		panics   string
		denied   string
		warnings []string
	}{
		{reason: "nothing is said of an empty CR", version: v1, fields: "spec: {}"},
		{
			reason:  "an enable annotation that is neither",
			version: v1beta1,
			fields:  templates("{metadata: {name: a, annotations: {dataimportcrontemplate.kubevirt.io/enable: ''}}}"),
			denied:  enableBad,
		},
		{
			reason:  "any case of true",
			version: v1beta1,
			fields:  templates("{metadata: {name: a, annotations: {dataimportcrontemplate.kubevirt.io/enable: TrUe}}, spec: " + goodSpec + "}"),
		},
		{reason: "enabled without a spec", version: v1beta1, fields: templates("{metadata: {name: a}}"), denied: noSpec},
		{reason: "disabled without a spec", version: v1beta1, fields: templates("{metadata: {name: a, " + disabled + "}}")},
		{
			reason:  "the first bad template is told",
			version: v1beta1,
			fields:  templates("{metadata: {name: a}}, {metadata: {name: b, annotations: {dataimportcrontemplate.kubevirt.io/enable: 'off'}}}"),
			denied:  noSpec,
		},
		{
			reason:  "a name twice, disabled ones count",
			version: v1beta1,
			fields:  templates("{metadata: {name: a, " + disabled + "}}, {metadata: {name: a, " + disabled + "}}"),
			denied:  "a DataImportCronTable is already defined",
		},
		{
			reason:  "no name twice is a name twice",
			version: v1beta1,
			fields:  templates("{metadata: {}, spec: " + goodSpec + "}, {metadata: {}, spec: " + goodSpec + "}"),
			denied:  " DataImportCronTable is already defined",
		},
		{
			reason:  "a predefined template without a source",
			version: v1beta1,
			fields: "spec: {featureGates: {enableMultiArchBootImageImport: true}, dataImportCronTemplates: [{metadata: {name: fedora-image-cron}, spec: " +
				sourceless + "}]}",
			panics: panicked,
		},
		{
			reason:  "a name twice is found before the panic",
			version: v1beta1,
			fields: templates("{metadata: {name: fedora-image-cron}, spec: " + sourceless + "}, {metadata: {name: a, " + disabled +
				"}}, {metadata: {name: a, " + disabled + "}}"),
			denied: "a DataImportCronTable is already defined",
		},
		{
			reason:  "with common import off it is dropped before the panic",
			version: v1,
			fields: "spec: {workloadSources: {enableCommonBootImageImport: false, dataImportCronTemplates: [{metadata: {name: fedora-image-cron}, spec: " +
				sourceless + "}]}}",
		},
		{
			reason:  "disabled, it does not panic",
			version: v1beta1,
			fields:  templates("{metadata: {name: fedora-image-cron, " + disabled + "}, spec: " + sourceless + "}"),
		},
		{reason: "a name of one's own without a source", version: v1beta1, fields: templates("{metadata: {name: a}, spec: " + sourceless + "}")},

		{reason: "the workload placement", version: v1beta1, fields: "spec: {workloads: " + badTerm + "}", denied: "invalid workloads" + affinity},
		{reason: "the infra placement", version: v1beta1, fields: "spec: {infra: " + badTerm + "}", denied: "invalid infra" + affinity},
		{
			reason:  "workloads are told before infra",
			version: v1beta1,
			fields:  "spec: {infra: " + badTerm + ", workloads: " + badTerm + "}",
			denied:  "invalid workloads" + affinity,
		},
		{
			reason:  "infra in v1",
			version: v1,
			fields: "spec: {deployment: {nodePlacements: {infra: {affinity: {nodeAffinity: " +
				"{requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: In, values: []}]}]}}}}}}}",
			denied: "invalid infra" + affinity,
		},
		{
			reason:  "a list without terms is valid",
			version: v1beta1,
			fields:  "spec: {workloads: {nodePlacement: {affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: []}}}}}}",
		},
		{
			reason:  "a preferred term is not looked at",
			version: v1beta1,
			fields: "spec: {workloads: {nodePlacement: {affinity: {nodeAffinity: " +
				"{preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, " +
				"preference: {matchExpressions: [{key: a, operator: In, values: []}]}}]}}}}}",
		},
		{
			reason:  "a template is told before the placement, the placement before a name twice",
			version: v1beta1,
			fields:  "spec: {workloads: " + badTerm + ", dataImportCronTemplates: [{metadata: {name: a, " + disabled + "}}, {metadata: {name: a, " + disabled + "}}]}",
			denied:  "invalid workloads" + affinity,
		},

		{
			reason:  "v1-only fields that cannot be read",
			version: v1beta1,
			fields:  "metadata: {name: kubevirt-hyperconverged, annotations: {hco.kubevirt.io/v1-only-fields: '{not'}}",
			denied:  "unable to parse the hco.kubevirt.io/v1-only-fields annotation: invalid character 'n' looking for beginning of object key string",
		},
		{
			reason:  "1.18 knows no such annotation",
			release: "1.18",
			version: v1beta1,
			fields:  "metadata: {name: kubevirt-hyperconverged, annotations: {hco.kubevirt.io/v1-only-fields: '{not'}}",
		},
		{reason: "v1 does not read it", version: v1, fields: "metadata: {name: kubevirt-hyperconverged, annotations: {hco.kubevirt.io/v1-only-fields: '{not'}}"},

		{
			reason:  "the gate of v1beta1, whatever it says",
			version: v1beta1,
			fields:  "spec: {featureGates: {enableMultiArchBootImageImport: false}}",
			warnings: []string{
				"spec.featureGates.enableMultiArchBootImageImport is deprecated. " +
					"Use spec.workloadSources.enableMultiArchBootImageImport in the v1 API instead; it will be removed in a future version.",
			},
		},
		{reason: "it was not deprecated in 1.18", release: "1.18", version: v1beta1, fields: "spec: {featureGates: {enableMultiArchBootImageImport: true}}"},
		{reason: "gates that HCO ignores", version: v1beta1, fields: "spec: {featureGates: {enableCommonBootImageImport: false, nonRoot: true}}", warnings: []string{
			"spec.featureGates.nonRoot is deprecated and ignored. It will be removed in a future version;",
			"spec.featureGates.enableCommonBootImageImport is deprecated and ignored. It will removed in a future version; use spec.enableCommonBootImageImport instead",
		}},
		{
			reason:  "the gate of v1, as written, also beside a denial",
			version: v1,
			fields: "spec: {featureGates: [{name: enableMultiArchBootImageImport}, {name: downwardMetrics}, {name: mine}], " +
				"workloadSources: {dataImportCronTemplates: [{metadata: {name: a}}]}}",
			denied:   noSpec,
			warnings: []string{gate, "the mine featureGate is unknown and ignored."},
		},
		{reason: "the list of 1.18", release: "1.18", version: v1, fields: "spec: {featureGates: [{name: enableMultiArchBootImageImport}]}"},
		{
			reason: "before 1.19, a warning in v1beta1 admits the CR before its placement and its operands are checked", release: "1.17", version: v1beta1,
			fields:   "spec: {featureGates: {nonRoot: true}, workloads: {nodePlacement: {affinity: " + wrongAffinity + "}}}",
			warnings: []string{"spec.featureGates.nonRoot is deprecated and ignored. It will be removed in a future version;"},
		},
		{
			reason: "1.18 alike", release: "1.18", version: v1beta1,
			fields:   "spec: {tuningPolicy: highBurst, workloads: {nodePlacement: {affinity: " + wrongAffinity + "}}}",
			warnings: []string{"spec.tuningPolicy: the highBurst profile is deprecated as of v1.16.0 and will be removed in a future release"},
		},
		{
			reason: "in v1 of 1.18 the placement comes before the gates", release: "1.18", version: v1,
			fields: "spec: {featureGates: [{name: mine}], deployment: {nodePlacements: {workload: {affinity: " + wrongAffinity + "}}}}",
			denied: wrongAffinityDenied,
		},
		{
			reason: "1.19 checks everything and warns too", version: v1beta1,
			fields:   "spec: {featureGates: {nonRoot: true}, workloads: {nodePlacement: {affinity: " + wrongAffinity + "}}}",
			denied:   wrongAffinityDenied,
			warnings: []string{"spec.featureGates.nonRoot is deprecated and ignored. It will be removed in a future version;"},
		},
		{
			reason:   "a tuning policy given up",
			version:  v1beta1,
			fields:   "spec: {tuningPolicy: highBurst}",
			warnings: []string{"spec.tuningPolicy: the highBurst profile is deprecated as of v1.16.0 and will be removed in a future release"},
		},
		{
			reason: "1.16 does not warn about it yet", release: "1.16", version: v1beta1,
			fields: "spec: {tuningPolicy: highBurst}",
		},
		{
			reason: "deprecated gates, in HCO's order", version: v1beta1,
			fields: "spec: {featureGates: {deployVmConsoleProxy: true, enableMultiArchBootImageImport: true, persistentReservation: false, " +
				"disableMDevConfiguration: true, nonRoot: true}}",
			warnings: []string{
				"spec.featureGates.nonRoot is deprecated and ignored. It will be removed in a future version;",
				"spec.featureGates.disableMDevConfiguration is deprecated. Use spec.virtualization.mediatedDevicesConfiguration.enabled in the v1 API instead; " +
					"it will be removed in a future version.",
				"spec.featureGates.persistentReservation is deprecated. Use spec.storage.persistentReservationConfiguration.enabled in the v1 API instead; " +
					"it will be removed in a future version.",
				"spec.featureGates.enableMultiArchBootImageImport is deprecated. Use spec.workloadSources.enableMultiArchBootImageImport in the v1 API instead; " +
					"it will be removed in a future version.",
				"spec.featureGates.deployVmConsoleProxy is deprecated and ignored. It will removed in a future version; use spec.deployVmConsoleProxy instead",
			},
		},
		{
			reason: "1.18 does not warn about those that have a field in v1 from 1.19 on", release: "1.18", version: v1beta1,
			fields: "spec: {featureGates: {enableMultiArchBootImageImport: true, persistentReservation: true, disableMDevConfiguration: true}}",
		},
		{
			reason:  "it is not told beside a denial",
			version: v1beta1,
			fields:  "spec: {tuningPolicy: highBurst, dataImportCronTemplates: [{metadata: {name: a}}]}",
			denied:  noSpec,
		},

		{
			reason:  "a certificate for a short time",
			version: v1,
			fields:  "spec: {security: {certConfig: {server: {renewBefore: 9m59s}}}}",
			denied:  "spec.certConfig.server.renewBefore: value is too small",
		},
		{
			reason:  "the CA's time",
			version: v1beta1,
			fields:  "spec: {certConfig: {ca: {duration: 1h}}}",
			denied:  "spec.certConfig.ca: duration is smaller than renewBefore",
		},
		{
			reason:  "the server's time",
			version: v1beta1,
			fields:  "spec: {certConfig: {server: {duration: 1h}}}",
			denied:  "spec.certConfig.server: duration is smaller than renewBefore",
		},
		{
			reason:  "the CA lives shorter",
			version: v1beta1,
			fields:  "spec: {certConfig: {server: {duration: 100h}}}",
			denied:  "spec.certConfig: ca.duration is smaller than server.duration",
		},
		{
			reason:  "certificates are told before templates",
			version: v1beta1,
			fields:  "spec: {certConfig: {ca: {duration: 1h}}, dataImportCronTemplates: [{metadata: {name: a}}]}",
			denied:  "spec.certConfig.ca: duration is smaller than renewBefore",
		},
		{
			reason:  "a custom profile that is not there",
			version: v1,
			fields:  "spec: {security: {tlsSecurityProfile: {type: Custom}}}",
			denied:  "missing required field spec.tlsSecurityProfile.custom when type is Custom",
		},
		{
			reason:  "a custom profile",
			version: v1,
			fields:  "spec: {security: {tlsSecurityProfile: {type: Custom, custom: {minTLSVersion: VersionTLS12, " + secure + "}}}}",
		},
		{
			reason:  "no cipher of HTTP/2",
			version: v1beta1,
			fields:  "spec: {tlsSecurityProfile: {type: Custom, custom: {minTLSVersion: VersionTLS12, ciphers: [a]}}}",
			denied: "http2: TLSConfig.CipherSuites is missing an HTTP/2-required AES_128_GCM_SHA256 cipher " +
				"(need at least one of ECDHE-RSA-AES128-GCM-SHA256 or ECDHE-ECDSA-AES128-GCM-SHA256)",
		},
		{
			reason:  "ciphers of TLS 1.3",
			version: v1beta1,
			fields:  "spec: {tlsSecurityProfile: {type: Custom, custom: {minTLSVersion: VersionTLS13, " + secure + "}}}",
			denied:  "custom ciphers cannot be selected when minTLSVersion is VersionTLS13",
		},
		{
			reason:  "no TLS version",
			version: v1,
			fields:  "spec: {security: {tlsSecurityProfile: {type: Custom, custom: {" + secure + "}}}}",
			denied:  `invalid value for spec.tlsSecurityProfile.custom.minTLSVersion: ""`,
		},
		{
			reason:  "no TLS version in v1beta1",
			version: v1beta1,
			fields:  "spec: {tlsSecurityProfile: {type: Custom, custom: {" + secure + "}}}",
			denied:  "invalid value for spec.tlsSecurityProfile.custom.minTLSVersion",
		},
		{
			reason:  "device types under two names",
			version: v1beta1,
			fields: "spec: {mediatedDevicesConfiguration: {nodeMediatedDeviceTypes: " +
				"[{nodeSelector: {}, mediatedDeviceTypes: [a], mediatedDevicesTypes: [b]}], mediatedDeviceTypes: [a]}}",
			denied: "mediatedDevicesTypes is deprecated, please use mediatedDeviceTypes instead",
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			got := admit(t, tc.release, tc.version, tc.fields)
			verdict := got.Admission
			verdict.MutatorWarnings, verdict.Changed = nil, false
			want := Admission{Panic: tc.panics, ValidatorDenied: tc.denied, ValidatorWarnings: append([]string{}, tc.warnings...)}
			if diff := cmp.Diff(want, verdict); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if refused := tc.panics != "" || tc.denied != ""; !refused && got.Stored == nil && len(got.SchemaErrors) == 0 || refused && got.Stored != nil {
				t.Errorf("%s: stored is %s", tc.reason, got.Stored)
			}
		})
	}
}
