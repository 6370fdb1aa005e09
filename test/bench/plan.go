package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// The size of the dump, how many machines are checked, and how often each is measured.
const (
	dumpedMachines  = 2000
	dumpedVolumes   = 500
	checkedMachines = 5000
	planRounds      = 3
)

// plan measures a plan from a dump with many machines, and a check of many machines.
func plan(t tools, dir string) error {
	dump, machines := filepath.Join(dir, "dump.yaml"), filepath.Join(dir, "machines.yaml")
	if err := os.WriteFile(dump, []byte(dumpOf(dumpedMachines, dumpedVolumes)), 0o600); err != nil {
		return fmt.Errorf("write the dump: %w", err)
	}
	var text strings.Builder
	text.WriteString(clusterCR(50))
	for i := range checkedMachines {
		text.WriteString("---\n" + machineOf(i, 50, ""))
	}
	if err := os.WriteFile(machines, []byte(text.String()), 0o600); err != nil {
		return fmt.Errorf("write the machines: %w", err)
	}
	for _, one := range []struct {
		what string
		args []string
	}{
		{
			fmt.Sprintf("plan: a dump of %d machines, %d volumes", dumpedMachines, dumpedVolumes),
			[]string{"plan", "--live", dump, "--gate", "Enable", "--leftovers", "-o", "json"},
		},
		{
			fmt.Sprintf("check: %d machines", checkedMachines),
			[]string{
				"check", machines, "--release", "1.19", "--workload-architectures", "amd64", "--control-plane-architectures", "amd64", "--offline",
				"--image", "quay.io/example/app=amd64,arm64",
			},
		},
	} {
		c, err := fastest(planRounds, func(int) (cost, error) { return t.measured(nil, nil, t["goldenarch"], one.args...) })
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stdout, "%-45s %s\n", one.what, c)
	}
	return nil
}

// clusterCR is a CR with templates for the DataSources app0, app1 and so on.
func clusterCR(templates int) string {
	var b strings.Builder
	b.WriteString(`apiVersion: hco.kubevirt.io/v1beta1
kind: HyperConverged
metadata: {name: kubevirt-hyperconverged, namespace: openshift-cnv}
spec:
  enableCommonBootImageImport: false
  dataImportCronTemplates:
`)
	for i := range templates {
		fmt.Fprintf(&b, "  - metadata: {name: app%d-cron, annotations: {ssp.kubevirt.io/dict.architectures: 'amd64,arm64'}}\n    spec:\n%s", i, cronSpec(i, "      "))
	}
	return b.String()
}

func cronSpec(i int, indent string) string {
	spec := fmt.Sprintf(`managedDataSource: app%d
retentionPolicy: All
importsToKeep: 3
schedule: "0 0 * * *"
template: {spec: {source: {registry: {url: "docker://quay.io/example/app"}}, storage: {resources: {requests: {storage: 30Gi}}}}}
`, i)
	return indent + strings.ReplaceAll(strings.TrimSpace(spec), "\n", "\n"+indent) + "\n"
}

// machineOf is a machine with cloud-init, which boots from one of the DataSources.
func machineOf(i, sources int, more string) string {
	return fmt.Sprintf(`apiVersion: kubevirt.io/v1
kind: VirtualMachine
metadata: {name: vm-%[1]d, namespace: team-%[2]d}
spec:
  runStrategy: Always
  dataVolumeTemplates:
  - metadata: {name: vm-%[1]d-root}
    spec:
      sourceRef: {kind: DataSource, namespace: openshift-virtualization-os-images, name: app%[3]d}
      storage: {resources: {requests: {storage: 40Gi}}}
  template:
    spec:
      architecture: amd64
      domain:
        cpu: {cores: 2}
        memory: {guest: 4Gi}
        devices:
          disks: [{name: root, disk: {bus: virtio}}, {name: init, disk: {bus: virtio}}]
          interfaces: [{name: default, masquerade: {}}]
      networks: [{name: default, pod: {}}]
      volumes:
      - name: root
        dataVolume: {name: vm-%[1]d-root}
      - name: init
        cloudInitNoCloud: {userData: "#cloud-config\nuser: example\n"}
%[4]s`, i, i%40, i%sources, more)
}

// dumpOf is a dump of a cluster of one architecture with the multi-arch gate off. A quarter of
// the volumes are golden images, the others are disks of machines.
func dumpOf(machines, volumes int) string {
	const namespace = "openshift-virtualization-os-images"
	templates := volumes / 4
	var b strings.Builder
	b.WriteString(clusterCR(templates) + "status: {versions: [{name: operator, version: 1.18.1}]}\n")
	for name, role := range map[string]string{"master-0": "control-plane", "worker-0": "worker", "worker-1": "worker"} {
		fmt.Fprintf(&b, "---\napiVersion: v1\nkind: Node\nmetadata: {name: %s, labels: {kubernetes.io/arch: amd64, node-role.kubernetes.io/%s: ''}}\n"+
			"status: {nodeInfo: {architecture: amd64}}\n", name, role)
	}
	for i := range templates {
		digest := fmt.Sprintf("%012d", i)
		fmt.Fprintf(&b, `---
apiVersion: cdi.kubevirt.io/v1beta1
kind: DataImportCron
metadata: {name: app%[1]d-cron, namespace: %[2]s, annotations: {cdi.kubevirt.io/storage.import.sourceDesiredDigest: 'sha256:%[3]s'}}
spec:
%[4]sstatus:
  currentImports: [{DataVolumeName: app%[1]d-%[3]s, Digest: 'sha256:%[3]s'}]
  conditions: [{type: UpToDate, status: 'True'}]
---
apiVersion: cdi.kubevirt.io/v1beta1
kind: DataSource
metadata: {name: app%[1]d, namespace: %[2]s, labels: {cdi.kubevirt.io/dataImportCron: app%[1]d-cron}}
spec: {source: {pvc: {namespace: %[2]s, name: app%[1]d-%[3]s}}}
status: {conditions: [{type: Ready, status: 'True'}]}
---
apiVersion: cdi.kubevirt.io/v1beta1
kind: DataVolume
metadata: {name: app%[1]d-%[3]s, namespace: %[2]s, labels: {cdi.kubevirt.io/dataImportCron: app%[1]d-cron}}
spec: {storage: {}}
status: {phase: Succeeded}
---
%[5]s`, i, namespace, digest, cronSpec(i, "  "),
			claimOf(fmt.Sprintf("app%d-%s", i, digest), namespace, fmt.Sprintf("{cdi.kubevirt.io/dataImportCron: app%d-cron}", i)))
	}
	for i := range machines {
		b.WriteString("---\n" + machineOf(i, templates, "status: {ready: true}\n"))
		if i < volumes-templates {
			b.WriteString("---\n" + claimOf(fmt.Sprintf("vm-%d-root", i), fmt.Sprintf("team-%d", i%40), "{}"))
		}
	}
	return b.String()
}

func claimOf(name, namespace, labels string) string {
	return fmt.Sprintf(`apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: %s, namespace: %s, labels: %s}
spec: {storageClassName: ceph-rbd, resources: {requests: {storage: 30Gi}}}
status: {capacity: {storage: 30Gi}}
`, name, namespace, labels)
}
