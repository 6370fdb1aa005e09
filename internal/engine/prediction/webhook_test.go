package prediction_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/engine/prediction"
	"github.com/goldenarch/goldenarch/internal/finding"
)

// TestFixOfWebhookWarnings: the fix for a warning of HCO's webhook changes nothing on the cluster.
// What HCO still reads stays, or moves with its value; what it ignores goes.
func TestFixOfWebhookWarnings(t *testing.T) {
	t.Parallel()
	v1beta1 := func(fields string) string { return hco("kubevirt-hyperconverged", fields) }
	v1 := func(fields string) string {
		return `{apiVersion: hco.kubevirt.io/v1, kind: HyperConverged, metadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged},
			spec: {workloadSources: {}, ` + fields + `}}`
	}
	const keep = "info: keep the field while the CR is v1beta1"
	for _, tc := range []struct{ reason, cr, release, want string }{
		{"HCO converts the gate", v1beta1("featureGates: {persistentReservation: true}, "), "1.19", keep},
		{"also one whose field has the opposite value", v1beta1("featureGates: {disableMDevConfiguration: true}, "), "1.19", keep},

		{"HCO ignores the gate", v1beta1("featureGates: {nonRoot: false}, "), "1.19", "warning: remove it"},
		{"a gate that states its default", v1beta1("featureGates: {nonRoot: true}, "), "1.19", "info: remove it"},
		{"also one that HCO converts", v1beta1("featureGates: {persistentReservation: false}, "), "1.19", "info: remove it"},
		{"also one with a field", v1beta1("featureGates: {enableCommonBootImageImport: true}, "), "1.19", "info: remove it"},
		{
			"several that state their defaults", v1beta1("featureGates: {nonRoot: true, deployVmConsoleProxy: false, persistentReservation: false}, "), "1.19",
			"info: remove them",
		},
		{"a field replaces the gate", v1beta1("featureGates: {deployVmConsoleProxy: true}, "), "1.19", "warning: move the value there, and remove this field"},
		{
			"several, one of them with a field", v1beta1("featureGates: {nonRoot: false, deployVmConsoleProxy: true}, "), "1.19",
			"warning: move the values to the fields in brackets, and remove these",
		},
		{"HCO 1.18 applies the tuning policy", v1beta1("tuningPolicy: highBurst, "), "1.18", "info: keep it until HCO 1.19, which ignores it"},
		{"HCO 1.19 ignores it", v1beta1("tuningPolicy: highBurst, "), "1.19", "warning: remove it"},
		{
			"v1: the field has the value of the gate", v1("featureGates: [{name: persistentReservation}]"), "1.19",
			"warning: set spec.storage.persistentReservationConfiguration.enabled: true, and remove the feature gate",
		},
		{
			"v1: a gate that is off", v1("featureGates: [{name: persistentReservation, state: Disabled}]"), "1.19",
			"warning: set spec.storage.persistentReservationConfiguration.enabled: false, and remove the feature gate",
		},
		{
			"v1: the field has the opposite value", v1("featureGates: [{name: disableMDevConfiguration}]"), "1.19",
			"warning: set spec.virtualization.mediatedDevicesConfiguration.enabled: false, and remove the feature gate",
		},
		{
			"v1: the opposite of off", v1("featureGates: [{name: disableMDevConfiguration, state: Disabled}]"), "1.19",
			"warning: set spec.virtualization.mediatedDevicesConfiguration.enabled: true, and remove the feature gate",
		},
		{
			"v1: the multi-arch gate", v1("featureGates: [{name: enableMultiArchBootImageImport}]"), "1.19",
			"warning: set spec.workloadSources.enableMultiArchBootImageImport: true, and remove the feature gate",
		},
		{
			"v1 of 1.18 names a field of v1beta1", v1("featureGates: [{name: deployVmConsoleProxy}]"), "1.18",
			"warning: set spec.deployment.deployVmConsoleProxy: true, and remove the feature gate",
		},
		{"v1: a name that HCO does not know", v1("featureGates: [{name: unheardOf}]"), "1.19", "warning: remove it"},
		{"v1: a slip", v1("featureGates: [{name: videoConfigs}]"), "1.19", "warning: rename it to videoConfig"},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			list, _ := predictor(tc.release, prediction.ThroughAdmission).Read(itemsOf(tc.cr, nodes)).All()
			var got []string
			for _, f := range prediction.Fold(list[0].Warnings) {
				if f.ID == finding.WebhookWarns {
					got = append(got, string(f.Severity)+": "+f.Do)
				}
			}
			if diff := cmp.Diff([]string{tc.want}, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
