package cli

import (
	"cmp"

	"github.com/spf13/pflag"
)

// valueOf has what help shows for the value of each flag: what it is, and not its type in
// the program.
var valueOf = map[string]string{
	"config": "FILE", "cr-path": "FILE#PATH", "inputs": "FILE,...", "max-file-size": "SIZE", "nodes": "FILE", "live": "FILE", "fleet": "FILE",
	"file": "FILE", "findings-file": "FILE", "authfile": "FILE", "registries-conf": "FILE", "registry-allow": "HOST,...", "policy-ref": "REF",
	"record": "DIR", "replay": "DIR", "argocd": "DIR",

	"workload-architectures": "ARCH,...", "control-plane-architectures": "ARCH,...", "allow": "ARCH,...", "single-architecture": "ARCH",
	"platform": "PLATFORM", "release": "RELEASE", "image": "IMAGE", "only": "IMAGE,...", "expand-namespace": "NAMESPACE",

	"mode": "MODE", "workloads": "MODE", "gate": "MODE", "expand": "MODE", "lock": "MODE", "admission": "MODE", "host": "HOST",
	"existing": "POLICY", "unsupported": "POLICY", "unresolved": "POLICY", "defaults": "POLICY",
	"expand-data-sources": "POLICY", "predefined": "PRODUCT", "verify": "LEVEL", "output": "FORMAT", "fail-on": "SEVERITY",
	"as": "FORM", "expect-clusters": "NUMBER",

	"registry-timeout": "DURATION", "registry-request-timeout": "DURATION",
	"registry-retries": "NUMBER", "registry-concurrency": "NUMBER", "registry-requests-per-second": "NUMBER",
	"registry-insecure": "HOST,...", "registry-pull-secrets": "NAME,...", "registry-certificate-authorities": "NAME,...",
}

// withValueName returns a flag for help, with the name of its value.
func withValueName(flag *pflag.Flag) *pflag.Flag {
	if flag.Value.Type() == "bool" {
		return flag
	}
	shown := *flag
	shown.Value = namedValue{flag.Value, cmp.Or(valueOf[flag.Name], flag.Value.Type())}
	if shown.DefValue == "[]" { // pflag recognizes its own empty lists by their type
		shown.DefValue = ""
	}
	return &shown
}

// namedValue is a value with another name for its type.
type namedValue struct {
	pflag.Value

	name string
}

// Type implements pflag.Value.
func (v namedValue) Type() string { return v.name }
