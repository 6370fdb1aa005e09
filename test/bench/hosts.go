package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// templates of the CR that the hosts have; each image is in the lock.
const templates = 20

// host is a program that calls functions, and how it is asked to.
type host struct {
	name    string
	times   int
	prepare func(dir, function string) error // writes what it reads
	program string
	args    func(dir string) []string
	env     []string
	apart   bool // functions are no children of its own, so their CPU time is not known
}

// hosts measures how much longer the hosts take with goldenarch than with a
// function that does nothing. The two take turns, so that what else the machine
// does is the same for both; what is added is the median of the differences.
func hosts(t tools, dir string) error {
	containers, err := newContainers(t, dir)
	defer containers.close(dir)
	if err != nil {
		return err
	}
	list, err := hostsOf(t, dir, containers)
	if err != nil {
		return err
	}
	for _, h := range list {
		var costs [2][]cost
		var commands [2]func() (cost, error)
		for i, function := range []string{"noop", "goldenarch"} {
			at := filepath.Join(dir, strings.ReplaceAll(h.name, " ", "-"), function)
			if err := h.prepare(at, function); err != nil {
				return err
			}
			commands[i] = func() (cost, error) { return call(h.env, nil, h.program, h.args(at)...) }
			if err := h.prove(at, function); err != nil {
				return err
			}
		}
		for range h.times {
			for i, command := range commands {
				c, err := command()
				if err != nil {
					return err
				}
				costs[i] = append(costs[i], c)
			}
		}
		fmt.Fprintf(os.Stdout, "%s (%d templates, medians of %d)\n", h.name, templates, h.times)
		wall, cpu := func(c cost) time.Duration { return c.wall }, func(c cost) time.Duration { return c.cpu }
		fmt.Fprintf(os.Stdout, "  wall %s\n", compared(costs, wall))
		if !h.apart {
			fmt.Fprintf(os.Stdout, "  CPU  %s\n", compared(costs, cpu))
		}
	}
	return nil
}

// compared is the median of both functions, and of what the second took more.
func compared(costs [2][]cost, of func(cost) time.Duration) string {
	var list [3][]time.Duration
	for i := range costs[0] {
		noop, ours := of(costs[0][i]), of(costs[1][i])
		list[0], list[1], list[2] = append(list[0], noop), append(list[1], ours), append(list[2], ours-noop)
	}
	var middle [3]time.Duration
	for i := range list {
		slices.Sort(list[i])
		middle[i] = list[i][len(list[i])/2].Round(time.Millisecond / 10)
	}
	return fmt.Sprintf("does nothing %8s, goldenarch %8s, %8s added", middle[0], middle[1], middle[2])
}

// prove runs the host once: a host that leaves out a function is fast, and
// kustomize does that without a word.
func (h host) prove(dir, function string) error {
	command := exec.Command(h.program, h.args(dir)...) // the programs are this package's own
	command.Env = append(os.Environ(), h.env...)
	out, err := command.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s with %s: %w\n%s", h.name, function, err, out)
	}
	cr, err := os.ReadFile(filepath.Join(dir, "cr.yaml"))
	if err != nil {
		return fmt.Errorf("read the CR: %w", err)
	}
	wants := 0
	if function == "goldenarch" {
		wants = templates
	}
	if got := max(strings.Count(string(out), claim), strings.Count(string(cr), claim)); got != wants {
		return fmt.Errorf("%s with %s: %d claims, expected %d\n%s", h.name, function, got, wants, out)
	}
	return nil
}

const claim = "ssp.kubevirt.io/dict.architectures:"

// documents turns items of a ResourceList into a stream.
func documents(items string) string {
	var b strings.Builder
	for line := range strings.Lines(items) {
		if strings.HasPrefix(line, "- ") {
			b.WriteString("---\n")
		}
		b.WriteString(line[2:])
	}
	return b.String()
}

// configuration is a GoldenImages with a way to call its function.
func configuration(function string) string {
	annotations := "config.kubernetes.io/local-config: \"true\""
	if function != "" {
		annotations = fmt.Sprintf("config.kubernetes.io/function: %q", function)
	}
	return "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: golden-images, annotations: {" + annotations + `}}
spec:
  predefined: none
  release: "1.19"
  lock: {mode: Require}
  cluster: {workloadArchitectures: [amd64, arm64], controlPlaneArchitectures: [amd64]}
`
}

// write makes a directory of files, with the CR and its lock.
func write(dir string, files map[string]string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make a directory: %w", err)
	}
	files["cr.yaml"] = documents(crWith(templates))
	files["lock.yaml"] = documents(lockOf(templates))
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			return fmt.Errorf("write a file: %w", err)
		}
	}
	return nil
}
