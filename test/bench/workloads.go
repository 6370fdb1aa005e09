package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/goldenarch/goldenarch/test/registrytest"
)

// workloadCount and workloadImages are how many Deployments there are, each with two
// containers, and how many images they name.
const (
	workloadCount  = 1000
	workloadImages = 300
	// workloadRounds is how often each part is measured; the median counts. kustomize alone
	// takes seconds.
	workloadRounds = 5
)

// workloads measures a run on 1,000 Deployments beside its parts: resolving their images
// alone, and a function that does nothing with the same objects. It measures the function by
// itself and in kustomize, and go-containerregistry and crane on the same images.
func workloads(t tools, dir string, roundTrip time.Duration) error {
	env, err := trusting(dir)
	if err != nil {
		return err
	}
	if err := t.build(dir, "kustomize", "../../tools", "sigs.k8s.io/kustomize/kustomize/v5"); err != nil {
		return err
	}
	fmt.Fprintf(os.Stdout, "%d Deployments with %d images, HTTP/2, bearer tokens, round trip %s, medians of %d, load %s\n",
		workloadCount, workloadImages, roundTrip, workloadRounds, load())
	parts := []string{"resolve", "noop", "function", "kustomize noop", "kustomize function", "library", "crane x32"}
	runs := map[string][]measurement{}
	for range workloadRounds {
		for _, part := range parts {
			m, err := workloadRun(t, dir, env, part, roundTrip)
			if err != nil {
				return fmt.Errorf("%s: %w", part, err)
			}
			runs[part] = append(runs[part], m)
		}
	}
	middle := map[string]measurement{}
	for _, part := range parts {
		slices.SortFunc(runs[part], func(a, b measurement) int { return int(a.wall - b.wall) })
		middle[part] = runs[part][workloadRounds/2]
		fmt.Fprintf(os.Stdout, "  %-18s %s\n", part, middle[part].of(workloadImages))
	}
	wall := func(part string) float64 { return middle[part].wall.Seconds() }
	fmt.Fprintf(os.Stdout, "  the function takes %.2fx its parts (resolve, noop), and in kustomize %.2fx\n",
		wall("function")/(wall("resolve")+wall("noop")), wall("kustomize function")/(wall("resolve")+wall("kustomize noop")))
	fmt.Fprintf(os.Stdout, "  beside go-containerregistry in one process, with noop: %.2fx; beside crane, 32 at once, with noop: %.2fx\n\n",
		wall("function")/(wall("library")+wall("noop")), wall("function")/(wall("crane x32")+wall("noop")))
	return nil
}

// workloadRun measures one part, with a registry of its own.
func workloadRun(t tools, dir string, env []string, part string, roundTrip time.Duration) (measurement, error) {
	server, err := registrytest.Start(registrytest.Options{
		Listen: far(roundTrip), Wrappers: []registrytest.Wrapper{plainChallenge, (&registrytest.Tokens{Service: "bench"}).Require()},
	})
	if err != nil {
		return measurement{}, err
	}
	defer server.Close()
	list := make([]image, workloadImages)
	for i := range list {
		name := fmt.Sprintf("team%d/app%d:1", i%10, i)
		list[i] = image{name: server.Host() + "/" + name}
		server.Push(name, registrytest.AttestedIndex("linux/amd64", "linux/arm64", "linux/s390x"))
	}
	run, err := workloadCommand(t, dir, env, part, list)
	if err != nil {
		return measurement{}, err
	}
	c, err := run()
	return measurement{cost: c, requests: server.Counts().Total(), connections: server.Connections()}, err
}

func workloadCommand(t tools, dir string, env []string, part string, list []image) (func() (cost, error), error) {
	function, inKustomize := strings.CutPrefix(part, "kustomize ")
	if function == "function" {
		function = "goldenarch"
	}
	switch {
	case part == "resolve":
		return t.goldenarch().commands(call, env, list)[0], nil
	case part == "library":
		return t.library("shared").commands(call, env, list)[0], nil
	case part == "crane x32":
		var all []func() (cost, error)
		for _, one := range list {
			all = append(all, func() (cost, error) { return call(env, nil, t["crane"], "manifest", one.name) })
		}
		return func() (cost, error) { return calls(32, all) }, nil
	case inKustomize:
		at := filepath.Join(dir, "workloads-"+function)
		err := write(at, map[string]string{
			"kustomization.yaml": "resources: [workloads.yaml]\ntransformers: [workload-architectures.yaml]\n",
			"workloads.yaml":     documents(workloadItems(list)),
			"workload-architectures.yaml": "apiVersion: goldenarch.dev/v1alpha1\n" +
				"kind: WorkloadArchitectures\n" +
				"metadata:\n" +
				"  name: bench\n" +
				"  annotations:\n" +
				"    config.kubernetes.io/function: |\n" +
				"      exec: {path: " +
				t[function] + "}\n",
		})
		return func() (cost, error) {
			return call(env, nil, t["kustomize"], "build", "--enable-alpha-plugins", "--enable-exec", at)
		}, err
	default:
		input := "apiVersion: config.kubernetes.io/v1\n" +
			"kind: ResourceList\n" +
			"functionConfig:\n" +
			"  apiVersion: goldenarch.dev/v1alpha1\n" +
			"  kind: WorkloadArchitectures\n" +
			"  metadata: {name: bench}\n" +
			"items:\n" +
			workloadItems(list)
		return func() (cost, error) { return call(env, []byte(input), t[function]) }, nil
	}
}

// workloadItems are the Deployments as items of a ResourceList.
func workloadItems(list []image) string {
	var b strings.Builder
	for i := range workloadCount {
		fmt.Fprintf(&b, `- apiVersion: apps/v1
  kind: Deployment
  metadata:
    name: app-%d
    labels: {app: app}
  spec:
    replicas: 3
    selector: {matchLabels: {app: app}}
    template:
      metadata: {labels: {app: app}}
      spec:
        containers:
        - name: app
          image: %s
          resources:
            requests: {cpu: 100m, memory: 10Mi}
        - name: proxy
          image: %s
`, i, list[i%len(list)].name, list[i*7%len(list)].name)
	}
	return b.String()
}
