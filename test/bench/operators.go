package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/goldenarch/goldenarch/test/registrytest"
)

const (
	// bundleCount and bundleSize are those of the bundles that operators publish: the largest
	// 332 of the community's catalog have 76 KB on average.
	bundleCount = 332
	bundleSize  = 76 << 10
	// operatorImages is how many images the bundles name together.
	operatorImages = 300
	operatorRounds = 3
)

// operators measures "fix" of many bundles in one repository.
func operators(t tools, dir string) error {
	env, err := trusting(dir)
	if err != nil {
		return err
	}
	server, err := registrytest.Start(registrytest.Options{})
	if err != nil {
		return fmt.Errorf("start the registry: %w", err)
	}
	defer server.Close()
	images := make([]string, operatorImages)
	for i := range images {
		name := fmt.Sprintf("team%d/operator%d:1", i%10, i)
		images[i] = server.Host() + "/" + name
		server.Push(name, registrytest.AttestedIndex("linux/amd64", "linux/arm64"))
	}
	files := bundleFiles(images)
	c, err := fastest(operatorRounds, func(round int) (cost, error) {
		at := filepath.Join(dir, fmt.Sprintf("operators-%d", round))
		if err := writeTree(at, files); err != nil {
			return cost{}, err
		}
		return t.measured(env, nil, t["goldenarch"], "fix", "--workloads", "Affinity", at)
	})
	if err != nil {
		return fmt.Errorf("fix of %d bundles: %w", bundleCount, err)
	}
	size := 0
	for _, text := range files {
		size += len(text)
	}
	fmt.Fprintf(os.Stdout, "fix of %d bundles, %d MB: %s wall, %s CPU, %d MB of memory, %d manifests a run, load %s\n", bundleCount, size>>20,
		c.wall.Round(1e7), c.cpu.Round(1e7), c.memory>>20, server.Counts().Manifest/operatorRounds, load())
	return nil
}

// bundleFiles are the files of the bundles, each in a directory of its own.
func bundleFiles(images []string) map[string]string {
	files := map[string]string{}
	for i := range bundleCount {
		at := fmt.Sprintf("bundle%03d/", i)
		files[at+"metadata/annotations.yaml"] = "annotations:\n  operators.operatorframework.io.bundle.mediatype.v1: registry+v1\n" +
			"  operators.operatorframework.io.bundle.manifests.v1: manifests/\n  operators.operatorframework.io.bundle.package.v1: acme\n"
		files[at+"manifests/acme.clusterserviceversion.yaml"] = fmt.Sprintf(`apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata:
  name: acme.v1.0.%d
spec:
  version: 1.0.%[1]d
  description: |
%[2]s  install:
    strategy: deployment
    spec:
      deployments:
      - name: acme
        spec:
          selector: {matchLabels: {app: acme}}
          template:
            metadata: {labels: {app: acme}}
            spec:
              containers:
              - name: manager
                image: %[3]s
              - name: kube-rbac-proxy
                image: %[4]s
`, i, strings.Repeat("    What the operator does, at some length.\n", bundleSize/43), images[i%len(images)], images[i*7%len(images)])
	}
	return files
}
