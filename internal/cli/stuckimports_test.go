package cli

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// TestStuckImports: a check with a dump says which import does not end, on which architecture,
// and what explains it.
func TestStuckImports(t *testing.T) {
	t.Parallel()
	const cr = `apiVersion: hco.kubevirt.io/v1beta1
kind: HyperConverged
metadata: {name: kubevirt-hyperconverged, namespace: openshift-cnv}
spec:
  enableCommonBootImageImport: false
  featureGates: {enableMultiArchBootImageImport: GATE}
  dataImportCronTemplates:
  - metadata: {name: app-cron, annotations: {ssp.kubevirt.io/dict.architectures: 'amd64,arm64'}}
    spec:
      managedDataSource: app
      retentionPolicy: None
      importsToKeep: 1
      schedule: "0 0 * * *"
      template: {spec: {source: {registry: {url: "docker://quay.io/example/app:1"}}, storage: {resources: {requests: {storage: 30Gi}}}}}
`
	const status = `status:
  versions: [{name: operator, version: 1.18.1}]
  nodeInfo: {workloadsArchitectures: [amd64, arm64], controlPlaneArchitectures: [amd64]}
  dataImportCronTemplates:
  - metadata: {name: app-cron, annotations: {ssp.kubevirt.io/dict.architectures: 'amd64,arm64'}}
    spec: {managedDataSource: app, schedule: "0 0 * * *", template: {spec: {source: {registry: {url: "docker://quay.io/example/app:1"}}, storage: {}}}}
    status: {originalSupportedArchitectures: 'amd64,arm64'}
`
	const cron = `---
apiVersion: cdi.kubevirt.io/v1beta1
kind: DataImportCron
metadata: {name: app-cron-arm64, namespace: os-images, labels: {template.kubevirt.io/architecture: arm64}}
spec: {managedDataSource: app-arm64, schedule: "0 0 * * *", template: {spec: {}}}
status: {conditions: [{type: UpToDate, status: "False", reason: ImportProgressing, message: Import is progressing}]}
---
apiVersion: cdi.kubevirt.io/v1beta1
kind: DataSource
metadata: {name: app-arm64, namespace: os-images, labels: {cdi.kubevirt.io/dataImportCron: app-cron-arm64}}
spec: {source: {pvc: {namespace: os-images, name: app-arm64-1}}}
status: {conditions: [{type: Ready, status: "False", reason: NotFound, message: PVC not found}]}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: app-arm64-1, namespace: os-images, uid: 11-22, labels: {cdi.kubevirt.io/dataImportCron: app-cron-arm64}}
spec: {}
---
apiVersion: v1
kind: Pod
metadata:
  name: importer-prime-11-22
  namespace: os-images
  labels: {app: containerized-data-importer, cdi.kubevirt.io: importer}
  ownerReferences: [{apiVersion: v1, kind: PersistentVolumeClaim, name: prime-11-22}]
status:
`
	const waiting = `  containerStatuses: [{name: importer, state: {waiting: {reason: CrashLoopBackOff, message: "back-off https://user:hunter2@r.io"}}}]
`
	for _, tc := range []struct {
		reason, dump string
		image        string
		gate         string
		want         []string // parts of the findings GA944, in order; none for no finding
	}{
		{
			"an import of another architecture, which the image lacks", cron + waiting, "amd64", "true",
			[]string{
				"DataImportCron/app-cron-arm64", "the import of arm64 does not end",
				"DataImportCron app-cron-arm64: UpToDate is False: Import is progressing (ImportProgressing)",
				"DataSource app-arm64: Ready is False: PVC not found (NotFound)", "Pod importer-prime-11-22: CrashLoopBackOff: back-off", "of this check explains it",
				"Follow the advice of GA",
			},
		},
		{
			"the image has it: only the pod knows", cron + waiting, "amd64,arm64", "true",
			[]string{"does not end", "CrashLoopBackOff", "Read the events and the log"},
		},
		{
			"a pod without a node", cron + `  conditions: [{type: PodScheduled, status: "False", reason: Unschedulable, message: 0/3 nodes are available}]
`, "amd64,arm64", "true",
			[]string{"Pod importer-prime-11-22: Unschedulable: 0/3 nodes are available"},
		},
		{"an import that is done", strings.NewReplacer(`"False"`, `"True"`).Replace(cron) + "  phase: Succeeded\n", "amd64,arm64", "true", nil},
		{
			"the gate is off over nodes of two architectures", strings.NewReplacer(`"False"`, `"True"`).Replace(cron) + "  phase: Running\n", "amd64,arm64", "false",
			[]string{"the alert HCOMultiArchGoldenImagesDisabled fires", "Turn the multi-arch gate on"},
		},
		{"a live CR alone says nothing of imports", "", "amd64,arm64", "false", nil},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			committed, dump := filepath.Join(dir, "hco.yaml"), filepath.Join(dir, "dump.yaml")
			text := strings.Replace(cr, "GATE", tc.gate, 1)
			for file, data := range map[string]string{committed: text, dump: text + status + tc.dump} {
				filetest.File(t, file, data)
			}
			for _, paths := range [][]string{{committed, "--live", dump}, {dump}} { // a dump alone says the same
				args := append([]string{"check", "--offline", "--image", "quay.io/example/app:1=" + tc.image}, paths...)
				_, out, errs := runFed(t, "", args...)
				lines := slices.DeleteFunc(strings.Split(out+errs, "\n"), func(line string) bool { return !strings.Contains(line, "GA944") })
				rest := strings.Join(lines, "\n")
				if (len(tc.want) == 0) != (rest == "") || strings.Contains(out+errs, "hunter2") {
					t.Fatalf("%s\n%s\n%s", paths, errs, out)
				}
				for _, part := range tc.want {
					i := strings.Index(rest, part)
					if i < 0 {
						t.Fatalf("%s: no %q in order in\n%s", paths, part, strings.Join(lines, "\n"))
					}
					rest = rest[i:]
				}
			}
		})
	}
}
