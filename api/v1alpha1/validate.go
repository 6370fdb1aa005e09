package v1alpha1

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/pattern"
	"github.com/goldenarch/goldenarch/internal/spelling"
	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
)

// Validate returns the problems of a spec that has its defaults, as [Errors].
func (s *GoldenImagesSpec) Validate() error { return s.check().orNil() }

func (s *GoldenImagesSpec) check() Errors {
	var errs Errors
	checkArchitectures(&errs, "spec.cluster.workloadArchitectures", s.Cluster.WorkloadArchitectures)
	checkArchitectures(&errs, "spec.cluster.controlPlaneArchitectures", s.Cluster.ControlPlaneArchitectures)
	checkInputs(&errs, s.Inputs)
	checkWord(&errs, "spec.mode", "mode", s.Mode, ModeWrite, ModeCheck)
	checkWord(&errs, "spec.platform", "platform", s.Platform, OpenShift, Kubernetes)
	if _, err := ParseRelease(s.Release); err != nil {
		errs.add("spec.release", "%s", err)
	}
	checkWord(&errs, "spec.predefined", "table", s.Predefined, PredefinedAuto, PredefinedUpstream, PredefinedOpenShift, PredefinedNone)
	checkPredefinedTemplates(&errs, s.PredefinedTemplates)
	checkWord(&errs, "spec.existing", "value", s.Existing, ExistingNarrow, ExistingReplace, ExistingKeep)
	checkArchitectures(&errs, "spec.allow", s.Allow)
	checkOverrides(&errs, s.Overrides)
	checkWord(&errs, "spec.unsupported", "value", s.Unsupported, UnsupportedDisable, UnsupportedFail, UnsupportedKeep)
	checkWord(&errs, "spec.unresolved", "value", s.Unresolved, UnresolvedFail, UnresolvedKeep)
	checkWord(&errs, "spec.gate", "value", s.Gate, GateAuto, GateEnable, GateDisable, GateKeep)
	if s.SingleArchitecture != "" {
		checkArchitectures(&errs, "spec.singleArchitecture", []string{s.SingleArchitecture})
	}
	checkWord(&errs, "spec.defaults", "value", s.Defaults, DefaultsKeep, DefaultsWrite)
	checkWord(&errs, "spec.expand.mode", "mode", s.Expand.Mode, ExpandNone, ExpandEmit, ExpandTakeOver)
	checkWord(&errs, "spec.expand.dataSources", "value", s.Expand.DataSources, DataSourcesAll, DataSourcesReference, DataSourcesNone)
	if s.Expand.Namespace != "" && len(validation.IsDNS1123Label(s.Expand.Namespace)) > 0 {
		errs.add("spec.expand.namespace", "is %q, expected the name of a namespace: lower-case letters, digits and dashes, at most 63", s.Expand.Namespace)
	}
	checkRegistry(&errs, s.Registry)
	checkWord(&errs, "spec.lock.mode", "mode", s.Lock.Mode, LockPrefer, LockRequire, LockIgnore)
	if s.Workloads != "" {
		checkWord(&errs, "spec.workloads", "mode", s.Workloads, WorkloadsAffinity, WorkloadsCheck, WorkloadsNone)
	}
	if s.CSVLabels != "" {
		checkWord(&errs, "spec.csvLabels", "value", s.CSVLabels, CSVLabelsOff, CSVLabelsCheck, CSVLabelsWrite)
	}
	checkFindings(&errs, s.Findings)
	return errs
}

// ParsedRelease returns the release that the user declared. Validate has accepted the text, so
// this cannot fail.
func (s *GoldenImagesSpec) ParsedRelease() Release {
	release, _ := ParseRelease(s.Release)
	return release
}

// checkFindings checks the severities. Whether an id exists, only package finding knows.
func checkFindings(errs *Errors, findings map[string]FindingSeverity) {
	for _, id := range sortedKeys(findings) {
		checkWord(errs, fieldpath.Join("spec.findings", id), "severity", findings[id], SeverityIgnore, SeverityInfo, SeverityWarning, SeverityError)
	}
}

// Validate returns the problems of node facts that a user states, as [Errors].
func (s ClusterArchitecturesSpec) Validate() error { return s.check().orNil() }

func (s ClusterArchitecturesSpec) check() Errors {
	var errs Errors
	checkArchitectures(&errs, "spec.workload", s.Workload)
	checkArchitectures(&errs, "spec.controlPlane", s.ControlPlane)
	for i, group := range s.Nodes {
		at := fmt.Sprintf("spec.nodes[%d]", i)
		checkArchitectures(&errs, at+".architecture", []string{group.Architecture})
		if group.Count != nil && *group.Count < 0 {
			errs.add(at+".count", "is %d, expected 0 or more", *group.Count)
		}
	}
	if len(s.Workload)+len(s.Nodes) == 0 && s.ControlPlane == nil {
		errs.add("spec", "is empty, expected workload, controlPlane or nodes")
	}
	return errs
}

func checkWord[T ~string](errs *Errors, path, what string, got T, expected ...T) {
	if slices.Contains(expected, got) {
		return
	}
	words := make([]string, len(expected))
	for i, word := range expected {
		words[i] = string(word)
	}
	errs.add(path, "unknown %s %q: expected one of %s%s", what, got, strings.Join(words, ", "), spelling.DidYouMean(string(got), words))
}

func checkArchitectures(errs *Errors, path string, list []string) {
	for i, name := range list {
		at := path
		if len(list) > 1 {
			at = fieldpath.Element(path, i)
		}
		if _, err := arch.Parse(name); err != nil {
			errs.add(at, "%s", err)
		}
	}
}

// checkInputs rejects files that are not below the working directory. The code that
// reads the files checks symbolic links.
func checkInputs(errs *Errors, inputs []string) {
	seen := map[string]bool{}
	for i, input := range inputs {
		at := fmt.Sprintf("spec.inputs[%d]", i)
		slashed := strings.ReplaceAll(input, `\`, "/")
		clean := path.Clean(slashed)
		switch {
		case input == "" || clean == ".":
			errs.add(at, "is %q, expected a file", input)
		case !isBelow(slashed):
			errs.add(at, "is %q, expected a file below the working directory, without \"..\"", input)
		case seen[clean]:
			errs.add(at, "duplicate file %q", input)
		}
		seen[clean] = true
	}
}

func checkOverrides(errs *Errors, overrides []Override) {
	seen := map[string]int{} // by template, the index of its first override
	for i, o := range overrides {
		at := fmt.Sprintf("spec.overrides[%d]", i)
		if (o.Image == "") == (o.Template == "") {
			errs.add(at, "expected either image or template")
		}
		// Whether two references name the same image, package settings decides.
		first, twice := seen[o.Template]
		switch {
		case o.Template == "":
		case !twice:
			seen[o.Template] = i
		case !arch.Named(o.Architectures...).Equal(arch.Named(overrides[first].Architectures...)):
			errs.add(at, "states other architectures for the template %q than spec.overrides[%d]", o.Template, first)
		}
		if len(o.Architectures) == 0 {
			errs.add(at+".architectures", "is empty, expected the architectures of the image")
		}
		checkArchitectures(errs, at+".architectures", o.Architectures)
	}
}

var hostPattern = pattern.Of(`^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?)(:[0-9]{1,5})?$`)

func checkRegistry(errs *Errors, r RegistrySpec) {
	checkWord(errs, "spec.registry.verify", "level", r.Verify, VerifyIndex, VerifyChildren, VerifyConfig)
	for _, duration := range []struct{ path, value string }{
		{"spec.registry.timeout", r.Timeout}, {"spec.registry.requestTimeout", r.RequestTimeout},
	} {
		if d, err := time.ParseDuration(duration.value); err != nil || d <= 0 {
			errs.add(duration.path, "is %q, expected a duration such as \"30s\"", duration.value)
		}
	}
	if r.Retries != nil && *r.Retries < 0 {
		errs.add("spec.registry.retries", "is %d, expected 0 or more", *r.Retries)
	}
	if r.Concurrency < 1 {
		errs.add("spec.registry.concurrency", "is %d, expected 1 or more", r.Concurrency)
	}
	checkInputNames(errs, r)
	checkMirrors(errs, r.Mirrors)
	for i, host := range r.Insecure {
		if !isHost(host) {
			errs.add(fmt.Sprintf("spec.registry.insecure[%d]", i), "is %q, expected a host or host:port", host)
		}
	}
}

// isHost reports whether a registry is written as host or host:port, without a scheme
// or a path.
func isHost(s string) bool {
	parts := hostPattern().FindStringSubmatch(s)
	if parts == nil {
		return false
	}
	if parts[3] == "" {
		return true
	}
	port, err := strconv.Atoi(parts[3][1:])
	return err == nil && port >= 1 && port <= math.MaxUint16
}
