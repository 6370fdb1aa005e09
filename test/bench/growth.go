package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// growing is a command whose cost must grow no faster than its input.
type growing struct {
	what string
	// few and many are the sizes.
	few, many int
	// files are the files of a size.
	files func(n int) map[string]string
	args  []string // with DIR for their directory
	// exponent is the limit of the growth of CPU over the input, cpu that of the larger size, and
	// memory how often its input it may take; 0 for no limit.
	exponent, memory float64
	cpu              time.Duration
}

// growthRounds is how often each size is measured; the least CPU counts, because other programs only add.
const growthRounds = 3

var growths = []growing{
	{
		what: "plan, machines and a quarter as many volumes", few: 5000, many: 20000, exponent: 1.1, cpu: 15 * time.Second, memory: 50, // 1 GB
		files: func(n int) map[string]string { return map[string]string{"dump.yaml": dumpOf(n, n/4)} },
		args:  []string{"plan", "--live", "DIR/dump.yaml", "--gate", "Enable", "-o", "json"},
	},
	{
		what: "plan --leftovers, DataSources", few: 5000, many: 20000, exponent: 1.1, cpu: 10 * time.Second,
		files: func(n int) map[string]string { return map[string]string{"dump.yaml": leftoversOf(n)} },
		args:  []string{"plan", "--live", "DIR/dump.yaml", "--gate", "Enable", "--leftovers", "-o", "json"},
	},
	{
		what: "render, Deployments that get node affinity", few: 2500, many: 10000, exponent: 1.1, memory: 40,
		files: func(n int) map[string]string { return map[string]string{"pods.yaml": deploymentsOf(n)} },
		args: []string{
			"render", "DIR/pods.yaml", "--workloads", "Affinity", "--offline", "--workload-architectures", "amd64,arm64",
			"--image", "quay.io/example/app=amd64", "--image", "quay.io/example/proxy=amd64,arm64",
		},
	},
	{
		what: "check, templates of a CR", few: 1000, many: 4000, exponent: 1.05, memory: 40,
		files: func(n int) map[string]string { return map[string]string{"cr.yaml": clusterCR(n)} },
		args:  append([]string{"check", "DIR/cr.yaml"}, offline...),
	},
	{
		what: "render, entries of a lock of which 10 count", few: 5000, many: 20000, exponent: 1.1, cpu: 700 * time.Millisecond,
		files: lockedFiles, args: append([]string{"render", "DIR/cr.yaml"}, offline...),
	},
	{
		what: "check, entries of a lock of which 10 count", few: 5000, many: 20000, exponent: 1.1, cpu: 700 * time.Millisecond,
		files: lockedFiles, args: append([]string{"check", "DIR"}, offline...),
	},
}

// offline are the flags of a run that queries no registry.
var offline = []string{
	"--release", "1.19", "--workload-architectures", "amd64", "--control-plane-architectures", "amd64", "--offline", "--image", "quay.io/example/app=amd64,arm64",
}

// growth measures each of these at two sizes, in turns.
func growth(t tools, dir string) error {
	if err := t.build(dir, "decoded", ".", "./decoded"); err != nil {
		return err
	}
	fmt.Fprintf(os.Stdout, "growth of CPU over the input, the least of %d, load %s\n", growthRounds, load())
	for i, g := range growths {
		if err := g.measure(t, filepath.Join(dir, fmt.Sprintf("growth-%d", i))); err != nil {
			return fmt.Errorf("%s: %w", g.what, err)
		}
	}
	fmt.Fprintln(os.Stdout)
	return nil
}

func (g growing) measure(t tools, dir string) error {
	costs, inputs := [2]cost{}, [2]float64{}
	for i, n := range []int{g.few, g.many} {
		files := g.files(n)
		for _, text := range files {
			inputs[i] += float64(len(text))
		}
		if err := writeTree(filepath.Join(dir, strconv.Itoa(i)), files); err != nil {
			return err
		}
	}
	for round := range growthRounds {
		for i := range costs {
			c, err := t.measured(nil, nil, t["goldenarch"], g.argsIn(filepath.Join(dir, strconv.Itoa(i)))...)
			if err != nil {
				return err
			}
			if round == 0 || c.cpu < costs[i].cpu {
				costs[i] = c
			}
		}
	}
	g.print(costs, inputs)
	if g.memory == 0 {
		return nil
	}
	for _, text := range g.files(g.many) { // one file
		c, err := t.measured(nil, []byte(text), t["decoded"])
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stdout, "  %-46s yaml's library alone, which reads and writes the file, takes %.0fx\n", "", float64(c.memory)/inputs[1])
	}
	return nil
}

// argsIn returns the arguments for files in a directory.
func (g growing) argsIn(dir string) []string {
	out := make([]string, len(g.args))
	for i, arg := range g.args {
		out[i] = strings.Replace(arg, "DIR", dir, 1)
	}
	return out
}

// print writes what the two sizes took, beside the limits.
func (g growing) print(costs [2]cost, inputs [2]float64) {
	few, many := costs[0], costs[1]
	exponent := math.Log(many.cpu.Seconds()/few.cpu.Seconds()) / math.Log(inputs[1]/inputs[0])
	parts := []string{fmt.Sprintf("exponent %.2f (limit %.2f)", exponent, g.exponent)}
	times := float64(many.memory) / inputs[1]
	if g.cpu > 0 {
		parts = append(parts, fmt.Sprintf("%.2fx the limit of %s", many.cpu.Seconds()/g.cpu.Seconds(), g.cpu))
	}
	if g.memory > 0 {
		parts = append(parts, fmt.Sprintf("memory %.0fx the input (limit %.0fx)", times, g.memory))
	}
	fmt.Fprintf(os.Stdout, "  %-46s %d %s\n  %-46s %d %s\n  %-46s %s\n", g.what, g.few, few, "", g.many, many, "", strings.Join(parts, ", "))
}

// deploymentsOf are Deployments with two containers each, one of which has an image of one architecture.
func deploymentsOf(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `---
apiVersion: apps/v1
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
        image: quay.io/example/app
        resources:
          requests: {cpu: 100m, memory: 10Mi}
      - name: proxy
        image: quay.io/example/proxy
`, i)
	}
	return b.String()
}

// lockedFiles are a CR with ten templates, and a lock of their images and of many others.
func lockedFiles(n int) map[string]string {
	cr := clusterCR(10)
	for i := range 10 {
		cr = strings.Replace(cr, "quay.io/example/app\"", fmt.Sprintf("registry.example.com/team/app%d:1\"", i), 1)
	}
	return map[string]string{"cr.yaml": cr, "golden-images.lock.yaml": strings.ReplaceAll(strings.TrimPrefix(lockOf(n), "- "), "\n  ", "\n")}
}

// leftoversOf is a dump of a cluster with DataSources that nothing owns any more.
func leftoversOf(n int) string {
	var b strings.Builder
	b.WriteString(dumpOf(0, 4))
	for i := range n {
		fmt.Fprintf(&b, `---
apiVersion: cdi.kubevirt.io/v1beta1
kind: DataSource
metadata: {name: old%[1]d, namespace: openshift-virtualization-os-images, labels: {cdi.kubevirt.io/dataImportCron: old%[1]d-cron}}
spec: {source: {pvc: {namespace: openshift-virtualization-os-images, name: old%[1]d}}}
status: {conditions: [{type: Ready, status: 'True'}]}
`, i)
	}
	return b.String()
}
