package repotest

import (
	"fmt"
	"strings"
)

// OverlaysPerBase is how many overlays of a fleet share a base.
const OverlaysPerBase = 50

// Fleet returns the files of a repository with so many overlays, by path: bases with a
// namespace, a CR with six templates and the lock of their images, and overlays with a
// patch each. Of three overlays, one lists a GoldenImages of its own among its transformers,
// one a directory that has it, and one does not list goldenarch. Of four overlays, three
// have the nodes. The Fleet at the root states the nodes of the others. The check of each
// cluster passes.
func Fleet(overlays int) map[string]string {
	files := map[string]string{
		"README.md":                         "# Clusters\n",
		"docs/clusters.md":                  "Copy an overlay.\n",
		".github/workflows/goldenarch.yaml": "on: push\njobs: {check: {runs-on: ubuntu-latest, steps: [{run: goldenarch check .}]}}\n",
		"goldenarch.yaml":                   fleet,
		"goldenarch/kustomization.yaml":     kustomizationHead + "resources:\n- golden-images.yaml\n",
		"goldenarch/golden-images.yaml":     goldenImages,
	}
	bases := (overlays + OverlaysPerBase - 1) / OverlaysPerBase
	for i := range bases {
		dir := fmt.Sprintf("bases/team-%02d/", i)
		files[dir+"kustomization.yaml"] = kustomizationHead + "resources:\n- namespace.yaml\n- hyperconverged.yaml\n- golden-images.lock.yaml\n"
		files[dir+"namespace.yaml"] = namespace
		files[dir+"hyperconverged.yaml"] = hyperConverged(i)
		files[dir+"golden-images.lock.yaml"] = lock(i)
	}
	for i := range overlays {
		name := fmt.Sprintf("site-%04d", i)
		stated := i%4 == 3
		if stated {
			name = fmt.Sprintf("edge-%04d", i)
		}
		addOverlay(files, "overlays/"+name+"/", i, i%bases, stated)
	}
	return files
}

func addOverlay(files map[string]string, dir string, number, base int, stated bool) {
	resources := fmt.Sprintf("resources:\n- ../../bases/team-%02d\n", base)
	if !stated {
		resources += "- nodes.yaml\n"
		files[dir+"nodes.yaml"] = nodes
	}
	wiring := ""
	switch number % 3 {
	case 1:
		wiring = "transformers:\n- golden-images.yaml\n"
		files[dir+"golden-images.yaml"] = goldenImages
	case 2:
		wiring = "transformers:\n- ../../goldenarch\n"
	}
	files[dir+"kustomization.yaml"] = kustomizationHead + "namespace: kubevirt-hyperconverged\n" + resources + "patches:\n- path: patch.yaml\n" + wiring
	files[dir+"patch.yaml"] = fmt.Sprintf(patch, 5+number%10, number)
}

const (
	kustomizationHead = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"

	fleet = `apiVersion: goldenarch.dev/v1alpha1
kind: Fleet
metadata:
  name: fleet
clusters:
- paths: ["overlays/edge-*"]
  workloadArchitectures: [amd64, arm64]
  controlPlaneArchitectures: [amd64]
  release: "1.19"
- paths: ["overlays/*"]
  release: "1.19"
`
	goldenImages = `apiVersion: goldenarch.dev/v1alpha1
kind: GoldenImages
metadata:
  name: golden-images
  annotations:
    config.kubernetes.io/function: |
      exec: {path: goldenarch}
spec:
  release: "1.19"
  predefined: none
  # No run queries a registry.
  lock:
    mode: Require
`
	namespace = `apiVersion: v1
kind: Namespace
metadata:
  name: kubevirt-hyperconverged
  labels:
    openshift.io/cluster-monitoring: "true"
`
	nodes = `# The nodes of this cluster.
apiVersion: goldenarch.dev/v1alpha1
kind: ClusterArchitectures
metadata:
  name: nodes
  annotations:
    config.kubernetes.io/local-config: "true" # kustomize and kpt leave it out; kubectl would apply it
spec:
  workload: [amd64, arm64]
  controlPlane: [amd64]
`
	patch = `apiVersion: hco.kubevirt.io/v1beta1
kind: HyperConverged
metadata:
  name: kubevirt-hyperconverged
  namespace: kubevirt-hyperconverged
spec:
  liveMigrationConfig:
    parallelMigrationsPerCluster: %d
  infra:
    nodePlacement:
      nodeSelector:
        example.com/site: "%d"
`
	crHead = `# OpenShift Virtualization. The golden images come from our mirror.
apiVersion: hco.kubevirt.io/v1beta1
kind: HyperConverged
metadata:
  name: kubevirt-hyperconverged
  namespace: kubevirt-hyperconverged
spec:
  enableCommonBootImageImport: false
  featureGates:
    enableMultiArchBootImageImport: true
  liveMigrationConfig:
    completionTimeoutPerGiB: 800
    parallelMigrationsPerCluster: 5
    parallelOutboundMigrationsPerNode: 2
  workloadUpdateStrategy:
    workloadUpdateMethods: [LiveMigrate]
  dataImportCronTemplates:
`
	template = `  - metadata:
      name: %[1]s-image-cron
      annotations:
        ssp.kubevirt.io/dict.architectures: amd64,arm64
    spec:
      garbageCollect: Outdated
      importsToKeep: 3
      managedDataSource: %[1]s
      schedule: "%[3]d */12 * * *"
      template:
        spec:
          source:
            registry:
              url: docker://mirror.example.com/%[2]s/%[1]s:latest # bumped by hand
              pullMethod: node
          storage:
            resources:
              requests:
                storage: 30Gi
`
	lockHead = `# Written by 'goldenarch lock'.
apiVersion: goldenarch.dev/v1alpha1
kind: ArchitectureLock
metadata:
  name: golden-images
  annotations:
    config.kubernetes.io/local-config: "true"
images:
`
	locked = `- reference: mirror.example.com/%s/%s:latest
  digest: sha256:%064d
  mediaType: application/vnd.oci.image.index.v1+json
  platforms:
  - {os: linux, architecture: amd64, digest: "sha256:%064d"}
  - {os: linux, architecture: arm64, digest: "sha256:%064d"}
`
)

// images are the names of the images of a base.
var images = []string{"appliance", "build-agent", "database", "desktop", "gateway", "jumphost"}

func hyperConverged(base int) string {
	var b strings.Builder
	b.WriteString(crHead)
	for i, image := range images {
		fmt.Fprintf(&b, template, image, teamOf(base), 5*i)
	}
	return b.String()
}

func lock(base int) string {
	var b strings.Builder
	b.WriteString(lockHead)
	for i, image := range images {
		fmt.Fprintf(&b, locked, teamOf(base), image, base*100+i, base*100+i+10, base*100+i+20)
	}
	return b.String()
}

func teamOf(base int) string { return fmt.Sprintf("team-%02d", base) }
