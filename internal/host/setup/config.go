package setup

import (
	"fmt"
	"strings"
)

// Host is the program that runs goldenarch on a directory.
type Host string

// The hosts. With HostFiles, nothing runs goldenarch when the directory is applied: what
// it decides is written into the files.
const (
	HostKustomize Host = "kustomize"
	HostKpt       Host = "kpt"
	HostArgoCD    Host = "argocd"
	HostFiles     Host = "files"
)

// Facts is what is known about the cluster and not yet in the files.
type Facts struct {
	Release      string
	Workload     []string
	ControlPlane []string // empty, and not nil, if HCO sees no control-plane node
	// Gate is Keep where a person turned the multi-arch gate off although several architectures
	// need it, else "".
	Gate string
}

// version is what other programs build: no version is published yet.
const version = "main"

// program is what hosts of functions run: no image is published yet.
const program = "goldenarch"

// Config returns the text of a configuration for a host.
func Config(host Host, facts Facts) []byte {
	var b strings.Builder
	b.WriteString("# The configuration of goldenarch. https://github.com/goldenarch/goldenarch/blob/main/docs/configuration.md\n" +
		"# lists all fields.\n" + skips + "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata:\n  name: golden-images\n  annotations:\n")
	if host == HostKustomize {
		// kustomize would not run a function whose configuration is local.
		b.WriteString("    # kustomize build --enable-alpha-plugins --enable-exec runs this program.\n" +
			"    config.kubernetes.io/function: |\n      exec: {path: goldenarch}\n")
	} else {
		b.WriteString(local)
	}
	if facts.Release == "" && len(facts.Workload) == 0 && facts.ControlPlane == nil && facts.Gate == "" {
		b.WriteString("spec: {}\n")
		return []byte(b.String())
	}
	b.WriteString("spec:\n")
	if facts.Release != "" {
		fmt.Fprintf(&b, "  release: %q\n", facts.Release)
	}
	if facts.Gate != "" {
		fmt.Fprintf(&b, "  gate: %s # the CR turns the multi-arch gate off\n", facts.Gate)
	}
	if len(facts.Workload) > 0 || facts.ControlPlane != nil {
		b.WriteString("  cluster:\n")
	}
	for _, field := range []struct {
		name  string
		value []string
	}{{"workloadArchitectures", facts.Workload}, {"controlPlaneArchitectures", facts.ControlPlane}} {
		if field.value != nil {
			fmt.Fprintf(&b, "    %s: [%s]\n", field.name, strings.Join(field.value, ", "))
		}
	}
	return []byte(b.String())
}

// Flags returns the facts as flags of the command line.
func (f Facts) Flags() []string {
	controlPlane := strings.Join(f.ControlPlane, ",")
	if f.ControlPlane != nil && len(f.ControlPlane) == 0 {
		controlPlane = "none"
	}
	var out []string
	for _, flag := range []struct{ name, value string }{
		{"--release", f.Release},
		{"--workload-architectures", strings.Join(f.Workload, ",")},
		{"--control-plane-architectures", controlPlane},
	} {
		if flag.value != "" {
			out = append(out, flag.name, flag.value)
		}
	}
	if f.Gate != "" {
		out = append(out, "--set", "gate="+f.Gate)
	}
	return out
}
