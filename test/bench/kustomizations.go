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
	"time"

	"github.com/goldenarch/goldenarch/internal/images/registrytest"
)

const (
	// slowClusters is how many clusters query a slow registry, and slowAnswer what each of
	// its answers takes.
	slowClusters = 12
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
	return largeKustomization(t, dir)
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

// slowRegistry measures verbs on many clusters whose registry takes long for each answer.
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
	for i := range slowClusters {
		server.Push(fmt.Sprintf("team/app%d:1", i), registrytest.Index("linux/amd64", "linux/arm64"))
	}
	for _, args := range [][]string{{"check", "."}, {"lock", "."}, {"fix", "."}} {
		costs := map[bool]cost{}
		for _, kustomized := range []bool{false, true} {
			before := server.Counts().Total()
			costs[kustomized], err = fastest(kustomizationRounds, func(round int) (cost, error) {
				at := filepath.Join(dir, fmt.Sprintf("slow-%s-%t-%d", args[0], kustomized, round))
				if err := writeTree(at, clusterFiles(server.Host(), kustomized)); err != nil {
					return cost{}, err
				}
				return t.in(at, env, args...)
			})
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			fmt.Fprintf(os.Stdout, "  %-5s of %d clusters, kustomizations %-5t %s %3d requests\n",
				args[0], slowClusters, kustomized, costs[kustomized], (server.Counts().Total()-before)/kustomizationRounds)
		}
		fmt.Fprintf(os.Stdout, "  %-5s kustomizations take %.2fx the time of plain files\n", args[0], costs[true].wall.Seconds()/costs[false].wall.Seconds())
	}
	return nil
}

// in runs goldenarch in a directory.
func (t tools) in(dir string, env []string, args ...string) (cost, error) {
	command := append([]string{"-c", `cd "$0" && exec "$@"`, dir, t["goldenarch"]}, args...)
	return t.measured(env, nil, "/bin/sh", command...)
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
		for _, part := range []struct {
			name, program string
			args          []string
		}{
			{"kustomize build", "kustomize", []string{"build", alone}},
			{"render, plain files", "goldenarch", []string{"render", plain, "--offline"}},
			{"render, kustomization", "goldenarch", []string{"render", kustomized, "--offline"}},
			{"check, plain files", "goldenarch", []string{"check", plain, "--offline", "--as", "rendered"}},
			{"check, kustomization", "goldenarch", []string{"check", kustomized, "--offline", "--as", "rendered"}},
		} {
			if objects == 0 && part.args[0] == "check" {
				continue // there is nothing to check
			}
			c, err := fastest(kustomizationRounds, func(int) (cost, error) { return t.measured(nil, nil, t[part.program], part.args...) })
			if err != nil {
				return fmt.Errorf("%s: %w", part.name, err)
			}
			fmt.Fprintf(os.Stdout, "  %4d Deployments, %-21s %s\n", objects, part.name, c)
		}
	}
	return nil
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
		"deployments.yaml": deployments.String(), "images.yaml": lock.String(),
		"pods.yaml": "apiVersion: goldenarch.dev/v1alpha1\nkind: WorkloadArchitectures\nmetadata: {name: pods}\n" +
			"spec: {mode: Affinity, clusterArchitectures: [amd64, arm64], lock: {mode: Require}}\n",
	}
}

// simultaneous measures the calls that Argo CD starts at once, in a control group with the
// memory of its container.
func simultaneous(t tools, dir string) error {
	group, err := newGroup(callsMemory)
	if err != nil {
		return err
	}
	defer group.remove()
	files := objectFiles(fewObjects)
	for _, at := range []string{"plain", "kustomized"} {
		if at == "kustomized" {
			files["kustomization.yaml"] = "resources: [deployments.yaml, images.yaml]\ntransformers: [pods.yaml]\n"
		}
		if err := writeTree(filepath.Join(dir, at), files); err != nil {
			return err
		}
		var list []func() (cost, error)
		for range callsAtOnce {
			list = append(list, func() (cost, error) {
				return call([]string{"ARGOCD_APP_NAME=app", "TMPDIR=" + dir}, nil, "/bin/sh", "-c", `echo $$ >"$0" && cd "$1" && exec "$2" render .`,
					filepath.Join(group.dir, "cgroup.procs"), filepath.Join(dir, at), t["goldenarch"])
			})
		}
		total, err := calls(callsAtOnce, list)
		failed := ""
		if err != nil {
			failed = ", at least one fails: " + strings.TrimSpace(err.Error())
		}
		fmt.Fprintf(os.Stdout, "%d calls at once, each of %d Deployments, %-10s %s, %d MiB together at most of %d, load %s%s\n",
			callsAtOnce, fewObjects, at, total, group.peak()>>20, callsMemory>>20, load(), failed)
	}
	return nil
}

// group is a control group with a limit on memory.
type group struct{ dir, peakFile string }

var errNoGroup = errors.New("this machine lets the bench make no control group with a limit on memory")

// newGroup makes a control group, of the first version or the second. Only root may do so.
func newGroup(memory int64) (group, error) {
	for _, version := range []struct{ dir, limit, peak string }{
		{"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.max_usage_in_bytes"}, {"/sys/fs/cgroup", "memory.max", "memory.peak"},
	} {
		out := group{dir: filepath.Join(version.dir, "goldenarch-bench-"+strconv.Itoa(os.Getpid()))}
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
