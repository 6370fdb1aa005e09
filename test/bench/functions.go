package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// functions measures what goldenarch costs a host, beside a function that does
// nothing with the same input.
func functions(t tools, dir string) error {
	info, err := os.Stat(t["goldenarch"])
	if err != nil {
		return fmt.Errorf("look at the binary: %w", err)
	}
	fmt.Fprintf(os.Stdout, "binary, stripped: %.1f MB\n", float64(info.Size())/1e6)
	names := []string{"noop", "goldenarch"}
	for _, test := range []struct {
		name  string
		times int
		input string
		limit string
	}{
		{"start (one item)", 201, resourceList("", crWith(0)), " (limit 1.50)"},
		{"200 locked images", 31, resourceList(lockOf(repositories), crWith(repositories)), ""},
		{"10 MB pass through", 3, resourceList("", crWith(0)+deployments(10e6)), ""},
	} {
		list, err := medians(test.times, len(names), func(i int) (cost, error) {
			return t.measured([]string{"HOME=" + dir}, []byte(test.input), t[names[i]])
		})
		if err != nil {
			return err
		}
		for i, c := range list {
			fmt.Fprintf(os.Stdout, "%-20s %-11s %s\n", test.name, names[i], c)
		}
		fmt.Fprintf(os.Stdout, "%-20s %.2fx the function that does nothing%s\n", test.name, list[1].wall.Seconds()/list[0].wall.Seconds(), test.limit)
	}
	return nil
}

func resourceList(lock, items string) string {
	return `apiVersion: config.kubernetes.io/v1
kind: ResourceList
functionConfig:
  apiVersion: goldenarch.dev/v1alpha1
  kind: GoldenImages
  metadata: {name: bench}
  spec:
    predefined: none
    release: "1.19"
    lock: {mode: Require}
    cluster: {workloadArchitectures: [amd64], controlPlaneArchitectures: [amd64]}
items:
` + lock + items
}

func crWith(templates int) string {
	var b strings.Builder
	b.WriteString(`- apiVersion: hco.kubevirt.io/v1beta1
  kind: HyperConverged
  metadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged}
  spec:
    defaultCPUModel: x
`)
	if templates > 0 {
		b.WriteString("    dataImportCronTemplates:\n")
	}
	for i := range templates {
		fmt.Fprintf(&b, `    - metadata: {name: app%d}
      spec:
        managedDataSource: app%d
        schedule: "0 */12 * * *"
        template:
          spec:
            source: {registry: {url: "docker://registry.example.com/team/app%d:1"}}
            storage: {resources: {requests: {storage: 10Gi}}}
`, i, i, i)
	}
	return b.String()
}

func lockOf(images int) string {
	var b strings.Builder
	b.WriteString(`- apiVersion: goldenarch.dev/v1alpha1
  kind: ArchitectureLock
  metadata:
    name: golden-images
    annotations: {config.kubernetes.io/local-config: "true"}
  images:
`)
	digest := "sha256:" + strings.Repeat("0", 64)
	for _, name := range sortedNames(images) {
		fmt.Fprintf(&b,
			`  - reference: %s
    digest: %q
    mediaType: application/vnd.oci.image.index.v1+json
    platforms:
    - {os: linux, architecture: amd64, digest: %q}
    - {os: linux, architecture: arm64, digest: %q}
`,
			name, digest, digest, digest)
	}
	return b.String()
}

func deployments(size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, `- apiVersion: apps/v1
  kind: Deployment
  metadata:
    name: app-%d
    labels: {app: app}
  spec:
    replicas: 3
    template:
      metadata: {labels: {app: app}}
      spec:
        containers:
        - name: app
          image: registry.example.com/team/app:%d
          resources:
            requests: {cpu: 100m, memory: 10Mi}
`, i, i)
	}
	return b.String()
}

func sortedNames(images int) []string {
	out := make([]string, images)
	for i := range out {
		out[i] = fmt.Sprintf("registry.example.com/team/app%d:1", i)
	}
	slices.Sort(out)
	return out
}
