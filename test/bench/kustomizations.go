package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/goldenarch/goldenarch/test/registrytest"
)

const (
	// slowClusters is how many clusters query a slow registry, and slowAnswer what each of
	// its answers takes.
	slowClusters = 48
	slowAnswer   = time.Second
	// manyObjects is the size of a large kustomization, and objectImages how many images its
	// objects name.
	manyObjects, fewObjects, objectImages = 2000, 500, 300
	// callsAtOnce is how many calls Argo CD starts at once, and callsMemory the limit of its
	// container.
	callsAtOnce, callsMemory = 20, 512 << 20
	kustomizationRounds      = 3
)

// kustomizations measures what kustomizations cost beside plain files.
func kustomizations(t tools, dir string) error {
	if err := t.build(dir, "kustomize", "../../tools", "sigs.k8s.io/kustomize/kustomize/v5"); err != nil {
		return err
	}
	fmt.Fprintf(os.Stdout, "kustomizations beside plain files, fastest of %d, load %s\n", kustomizationRounds, load())
	if err := slowRegistry(t, dir); err != nil {
		return err
	}
	if err := smallKustomization(t, dir); err != nil {
		return err
	}
	if err := besideKustomize(t, dir); err != nil {
		return err
	}
	return largeKustomization(t, dir)
}

// besideKustomize measures builds of Deployments that goldenarch leaves as they are, beside kustomize: without anything else, with a
// prefix of their names, and with patches of 200 of them.
func besideKustomize(t tools, dir string) error {
	const inFile, patched = 10, 200
	for _, objects := range []int{patched, 1000, manyObjects} {
		files := map[string]string{}
		var resources, patches strings.Builder
		resources.WriteString("resources:\n")
		for from := 0; from < objects; from += inFile {
			var text strings.Builder
			for i := range inFile {
				fmt.Fprintf(&text, "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web-%d}\nspec:\n  replicas: 2\n  selector: {matchLabels: {app: web}}\n"+
					"  template:\n    metadata: {labels: {app: web}}\n    spec: {containers: [{name: web, image: registry.example.com/web}, {name: log, image: registry.example.com/log}]}\n",
					from+i)
			}
			name := fmt.Sprintf("%d.yaml", from)
			files[name] = text.String()
			resources.WriteString("- " + name + "\n")
		}
		patches.WriteString("patches:\n")
		for i := range patched {
			fmt.Fprintf(&patches, `- {target: {kind: Deployment, name: web-%d}, patch: '[{"op": "replace", "path": "/spec/replicas", "value": 3}]'}`+"\n", i)
		}
		for _, form := range []struct{ name, more string }{{"plain", ""}, {"namePrefix", "namePrefix: p-\n"}, {"patches", patches.String()}} {
			at := filepath.Join(dir, fmt.Sprintf("%s-%d", form.name, objects))
			files["kustomization.yaml"] = resources.String() + form.more
			if err := writeTree(at, files); err != nil {
				return err
			}
			build, err := fastest(kustomizationRounds, func(int) (cost, error) { return t.withChildren(nil, t["kustomize"], "build", at) })
			if err != nil {
				return err
			}
			render, err := fastest(kustomizationRounds, func(int) (cost, error) { return t.withChildren(nil, t["goldenarch"], "render", at, "--offline") })
			if err != nil {
				return err
			}
			fmt.Fprintf(os.Stdout, "  %4d Deployments, %-10s kustomize build %8s CPU, goldenarch render %8s, %.2fx\n",
				objects, form.name, build.cpu.Round(time.Millisecond), render.cpu.Round(time.Millisecond), render.cpu.Seconds()/build.cpu.Seconds())
		}
	}
	return nil
}

// fastest returns the cost of the fastest of some runs. Each gets its number.
func fastest(rounds int, run func(round int) (cost, error)) (cost, error) {
	var out cost
	for round := range rounds {
		c, err := run(round)
		if err != nil {
			return out, err
		}
		if round == 0 || c.wall < out.wall {
			out = c
		}
	}
	return out, nil
}

// slowRegistry measures verbs on many clusters whose registry takes long for each answer, beside resolve, which asks for all their images
// at once.
func slowRegistry(t tools, dir string) error {
	env, err := trusting(dir)
	if err != nil {
		return err
	}
	server, err := registrytest.Start(registrytest.Options{Wrappers: []registrytest.Wrapper{registrytest.Latency(slowAnswer)}})
	if err != nil {
		return fmt.Errorf("start the registry: %w", err)
	}
	defer server.Close()
	ask := []string{"resolve"}
	for i := range slowClusters {
		image := fmt.Sprintf("team/app%d:1", i)
		server.Push(image, registrytest.Index("linux/amd64", "linux/arm64"))
		ask = append(ask, server.Host()+"/"+image)
	}
	alone, err := fastest(kustomizationRounds, func(int) (cost, error) { return t.in(dir, env, "goldenarch", ask...) })
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stdout, "  resolve of the images of %d clusters %s\n", slowClusters, alone)
	for _, build := range t.builds() {
		for _, args := range [][]string{{"check", ".", "--as", "rendered"}, {"lock", "."}, {"fix", "."}} {
			costs := map[bool]cost{}
			for _, kustomized := range []bool{false, true} {
				before := server.Counts().Total()
				costs[kustomized], err = fastest(kustomizationRounds, func(round int) (cost, error) {
					at := filepath.Join(dir, fmt.Sprintf("slow-%s-%s-%t-%d", build, args[0], kustomized, round))
					if err := writeTree(at, clusterFiles(server.Host(), kustomized)); err != nil {
						return cost{}, err
					}
					return t.in(at, env, build, args...)
				})
				if err != nil {
					return fmt.Errorf("%s: %w", args[0], err)
				}
				fmt.Fprintf(os.Stdout, "  %-10s %-5s of %d clusters, kustomizations %-5t %s %3d requests, %.2fx the time of resolve\n",
					build, args[0], slowClusters, kustomized, costs[kustomized], (server.Counts().Total()-before)/kustomizationRounds,
					costs[kustomized].wall.Seconds()/alone.wall.Seconds())
			}
			fmt.Fprintf(os.Stdout, "  %-10s %-5s kustomizations take %.2fx the time of plain files\n",
				build, args[0], costs[true].wall.Seconds()/costs[false].wall.Seconds())
		}
	}
	return nil
}

// in runs a build of goldenarch in a directory.
func (t tools) in(dir string, env []string, build string, args ...string) (cost, error) {
	command := append([]string{"-c", `cd "$0" && exec "$@"`, dir, t[build]}, args...)
	return t.withChildren(env, "/bin/sh", command...)
}

// smallKustomization measures one render of a CR with a lock of one image: what starting
// costs. The builds take turns.
func smallKustomization(t tools, dir string) error {
	const rounds = 21
	costs := map[string]cost{}
	for _, kustomized := range []bool{false, true} {
		at := filepath.Join(dir, fmt.Sprintf("small-%t", kustomized))
		if err := writeTree(at, smallFiles(kustomized)); err != nil {
			return err
		}
		for round := range rounds {
			for _, build := range t.builds() {
				c, err := t.withChildren(nil, t[build], "render", at, "--offline")
				if err != nil {
					return fmt.Errorf("render: %w", err)
				}
				name := fmt.Sprintf("%s %t", build, kustomized)
				if fast := costs[name]; round == 0 || c.wall < fast.wall {
					c.cpu, c.memory = least(c.cpu, fast.cpu), least(c.memory, fast.memory)
					costs[name] = c
				}
			}
		}
		for _, build := range t.builds() {
			fmt.Fprintf(os.Stdout, "  one render, kustomization %-5t, fastest of %d, %-10s %s\n",
				kustomized, rounds, build, costs[fmt.Sprintf("%s %t", build, kustomized)])
		}
		if before := costs[fmt.Sprintf("%s %t", beforeName, kustomized)]; before.wall > 0 {
			now := costs[fmt.Sprintf("goldenarch %t", kustomized)]
			fmt.Fprintf(os.Stdout, "  one render, kustomization %-5t, more than before: %s, %.1f MB\n",
				kustomized, (now.wall - before.wall).Round(100*time.Microsecond), float64(now.memory-before.memory)/1e6)
		}
	}
	return nil
}

// smallFiles are a CR of one image, its configuration and its lock.
func smallFiles(kustomized bool) map[string]string {
	files := map[string]string{"images.yaml": objectFiles(0)["images.yaml"]}
	for name, text := range clusterFiles("registry.example.com", kustomized) {
		if base, is := strings.CutPrefix(name, "clusters/c0/"); is {
			files[base] = strings.Replace(text, "resources: [", "resources: [images.yaml, ", 1)
		}
	}
	return files
}

// least returns the smaller of two costs, of which the second may not be known yet.
func least[T time.Duration | int64](a, b T) T {
	if b == 0 {
		return a
	}
	return min(a, b)
}

// clusterFiles are clusters with a CR of one image each.
func clusterFiles(host string, kustomized bool) map[string]string {
	files := map[string]string{}
	for i := range slowClusters {
		at := fmt.Sprintf("clusters/c%d/", i)
		files[at+"hco.yaml"] = "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\n" +
			"metadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged}\nspec:\n" +
			"  featureGates: {enableMultiArchBootImageImport: true}\n  dataImportCronTemplates:\n" +
			"  - metadata:\n      name: app\n      annotations: {ssp.kubevirt.io/dict.architectures: 'amd64,arm64'}\n" +
			"    spec:\n      garbageCollect: Outdated\n      managedDataSource: app\n      schedule: 0 */12 * * *\n      template:\n        spec:\n" +
			"          source: {registry: {url: docker://" + fmt.Sprintf("%s/team/app%d:1", host, i) + "}}\n" +
			"          storage: {resources: {requests: {storage: 10Gi}}}\n"
		files[at+"golden-images.yaml"] = "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: images}\nspec:\n" +
			"  release: \"1.19\"\n  predefined: none\n  cluster: {workloadArchitectures: [amd64, arm64], controlPlaneArchitectures: [amd64]}\n"
		if kustomized {
			files[at+"kustomization.yaml"] = "resources: [hco.yaml]\ntransformers: [golden-images.yaml]\n"
		}
	}
	return files
}

// largeKustomization measures one render of Deployments, with a lock. The floor is what
// kustomize takes alone.
func largeKustomization(t tools, dir string) error {
	// Without a Deployment a ConfigMap is left: what starting costs.
	for _, objects := range []int{0, fewObjects, manyObjects} {
		plain, kustomized := filepath.Join(dir, fmt.Sprintf("plain-%d", objects)), filepath.Join(dir, fmt.Sprintf("kustomized-%d", objects))
		files := objectFiles(objects)
		if err := writeTree(plain, files); err != nil {
			return err
		}
		files["kustomization.yaml"] = "resources: [deployments.yaml, images.yaml]\ntransformers: [pods.yaml]\n"
		if err := writeTree(kustomized, files); err != nil {
			return err
		}
		alone := filepath.Join(dir, fmt.Sprintf("alone-%d", objects))
		files["kustomization.yaml"] = "resources: [deployments.yaml, images.yaml]\n"
		if err := writeTree(alone, files); err != nil {
			return err
		}
		walls := map[string]time.Duration{}
		measure := func(name, program string, args ...string) error {
			c, err := fastest(kustomizationRounds, func(int) (cost, error) { return t.withChildren(nil, program, args...) })
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			walls[name] = c.wall
			fmt.Fprintf(os.Stdout, "  %4d Deployments, %-33s %s\n", objects, name, c)
			return nil
		}
		if err := measure("kustomize build", t["kustomize"], "build", alone); err != nil {
			return err
		}
		compare := func(build string, verb []string) error {
			name := build + " " + verb[0]
			for _, at := range []struct{ name, dir string }{{name + ", plain files", plain}, {name + ", kustomization", kustomized}} {
				if err := measure(at.name, t[build], append(verb, at.dir, "--offline")...); err != nil {
					return err
				}
			}
			fmt.Fprintf(os.Stdout, "  %4d Deployments, %s: a kustomization takes %.2fx the time of plain files\n",
				objects, name, walls[name+", kustomization"].Seconds()/walls[name+", plain files"].Seconds())
			return nil
		}
		if err := compareVerbs(t, objects, compare); err != nil {
			return err
		}
	}
	return nil
}

// compareVerbs calls compare for render and check of each build. Without objects there is
// nothing to check.
func compareVerbs(t tools, objects int, compare func(build string, verb []string) error) error {
	for _, build := range t.builds() {
		check, err := checkRendered(t[build])
		if err == nil {
			err = compare(build, []string{"render"})
		}
		if err == nil && objects > 0 {
			err = compare(build, check)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkRendered returns the arguments of a check of what render gives. That is what an older
// program always checks.
func checkRendered(program string) ([]string, error) {
	help, err := exec.CommandContext(context.Background(), program, "check", "--help").Output()
	if err != nil {
		return nil, fmt.Errorf("ask for the flags of check: %w", err)
	}
	if strings.Contains(string(help), "--as ") {
		return []string{"check", "--as", "rendered"}, nil
	}
	return []string{"check"}, nil
}

// objectFiles are Deployments and the lock of their images.
func objectFiles(objects int) map[string]string {
	var deployments, lock strings.Builder
	for i := range objects {
		fmt.Fprintf(&deployments, `apiVersion: apps/v1
kind: Deployment
metadata:
  name: app-%d
  namespace: shop
spec:
  selector: {matchLabels: {app: app}}
  template:
    metadata: {labels: {app: app}}
    spec:
      containers:
      - name: app
        image: registry.example.com/team/app%d:1
---
`, i, i%objectImages)
	}
	deployments.WriteString("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: own, namespace: shop}\n")
	lock.WriteString("apiVersion: goldenarch.dev/v1alpha1\nkind: ArchitectureLock\nmetadata:\n  name: images\n" +
		"  annotations: {config.kubernetes.io/local-config: \"true\"}\nimages:\n")
	for i := range objectImages {
		fmt.Fprintf(&lock, "- reference: registry.example.com/team/app%d:1\n  digest: sha256:%064x\n"+
			"  mediaType: application/vnd.oci.image.index.v1+json\n  size: 1839\n  platforms:\n"+
			"  - {os: linux, architecture: amd64, digest: 'sha256:%064x'}\n", i, i+1, i+1000)
	}
	return map[string]string{
		"kustomization":    "resources: [deployments.yaml, images.yaml]\ntransformers: [pods.yaml]\n", // the name that no tool reads
		"deployments.yaml": deployments.String(), "images.yaml": lock.String(),
		"pods.yaml": "apiVersion: goldenarch.dev/v1alpha1\nkind: WorkloadArchitectures\nmetadata: {name: pods}\n" +
			"spec: {mode: Affinity, clusterArchitectures: [amd64, arm64], lock: {mode: Require}}\n",
	}
}

// simultaneous measures the calls that Argo CD starts at once, in a control group with the
// memory of its container.
func simultaneous(t tools, dir string) error {
	for _, of := range []struct {
		name  string
		files map[string]string
	}{
		{"workloads", objectFiles(fewObjects)},
		{"golden-image manifests", manifestFiles(fewObjects)},
	} {
		for _, kustomized := range []bool{false, true} {
			at := filepath.Join(dir, fmt.Sprintf("%s-%t", strings.Fields(of.name)[0], kustomized))
			if kustomized {
				of.files["kustomization.yaml"] = of.files["kustomization"]
			}
			if err := writeTree(at, of.files); err != nil {
				return err
			}
			for _, build := range t.builds() {
				group, err := newGroup(callsMemory)
				if err != nil {
					return err
				}
				total, failed := t.callsIn(group, dir, at, build)
				peak := group.peak()
				group.remove()
				fmt.Fprintf(os.Stdout, "%d calls of %s at once, each of %d %s, kustomization %-5t %s, %d MiB together at most of %d, %d failed, load %s\n",
					callsAtOnce, build, fewObjects, of.name, kustomized, total, peak>>20, callsMemory>>20, len(failed), load())
				for _, err := range failed {
					fmt.Fprintln(os.Stdout, "  "+strings.TrimSpace(err.Error()))
				}
			}
		}
	}
	return nil
}

// callsIn makes the calls in a control group, and returns why some of them failed.
func (t tools) callsIn(g group, dir, at, build string) (cost, []error) {
	var mu sync.Mutex
	var failed []error
	var list []func() (cost, error)
	for range callsAtOnce {
		list = append(list, func() (cost, error) {
			c, err := call([]string{"ARGOCD_APP_NAME=app", "TMPDIR=" + dir}, nil, "/bin/sh", "-c", `echo $$ >"$0" && cd "$1" && exec "$2" render .`,
				filepath.Join(g.dir, "cgroup.procs"), at, t[build])
			if err != nil {
				mu.Lock()
				failed = append(failed, err)
				mu.Unlock()
			}
			return c, nil
		})
	}
	total, _ := calls(callsAtOnce, list) // the errors are in failed
	return total, failed
}

// manifestFiles are a CR of one image, its lock and many other manifests.
func manifestFiles(objects int) map[string]string {
	files := map[string]string{"images.yaml": objectFiles(0)["images.yaml"]}
	for name, text := range clusterFiles("registry.example.com", false) {
		if base, is := strings.CutPrefix(name, "clusters/c0/"); is {
			files[base] = text
		}
	}
	files["golden-images.yaml"] += "  lock: {mode: Require}\n"
	var list strings.Builder
	for i := range objects {
		name := fmt.Sprintf("d%d.yaml", i)
		files[name] = fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m%d, namespace: shop}\ndata: {a: b}\n", i)
		list.WriteString(", " + name)
	}
	files["kustomization"] = "resources: [hco.yaml, images.yaml" + list.String() + "]\ntransformers: [golden-images.yaml]\n"
	return files
}

// group is a control group with a limit on memory.
type group struct{ dir, peakFile string }

var errNoGroup = errors.New("this machine lets the bench make no control group with a limit on memory")

// newGroup makes a control group, of the first version or the second. Only root may do so.
func newGroup(memory int64) (group, error) {
	for _, version := range []struct{ dir, limit, peak string }{
		{"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.max_usage_in_bytes"}, {"/sys/fs/cgroup", "memory.max", "memory.peak"},
	} {
		out := group{dir: filepath.Join(version.dir, fmt.Sprintf("goldenarch-bench-%d-%d", os.Getpid(), time.Now().UnixNano()))}
		out.peakFile = filepath.Join(out.dir, version.peak)
		if os.Mkdir(out.dir, 0o755) != nil {
			continue
		}
		if _, err := os.Stat(out.peakFile); err == nil {
			if os.WriteFile(filepath.Join(out.dir, version.limit), []byte(strconv.FormatInt(memory, 10)), 0o600) == nil {
				return out, nil
			}
		}
		out.remove()
	}
	return group{}, errNoGroup
}

// peak returns the most memory that the group had, with the files that it read.
func (g group) peak() int64 {
	data, err := os.ReadFile(g.peakFile)
	if err != nil {
		return 0
	}
	n, _ := strconv.ParseInt(strings.TrimSpace(string(data)), 10, 64) // the kernel writes a number
	return n
}

// remove removes the group. Its processes have ended.
func (g group) remove() {
	_ = exec.CommandContext(context.Background(), "rmdir", g.dir).Run() // it is this program's own
}
