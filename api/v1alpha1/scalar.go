package v1alpha1

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/goldenarch/goldenarch/internal/spelling"
)

// Scalar is an option that fits in one string: a key of a ConfigMap's data, and of the flag
// --set of the command line.
type Scalar struct {
	Key  string // workloadArchitectures
	Flag string // workload-architectures: the key as flags and variables are spelled
	Path string // spec.cluster.workloadArchitectures: the field of a GoldenImages
	Help string // what it does, in a few words
	// Form is what the string holds.
	Form Form
	// Set writes the value into a spec. It fails if the value cannot be read. Validate
	// checks later whether the value is valid.
	Set func(spec *GoldenImagesSpec, value string) error
	// Get returns the value of a spec in the form that Set reads.
	Get func(spec *GoldenImagesSpec) string
}

// Form is what the string of a [Scalar] holds.
type Form string

// The forms.
const (
	FormText   Form = "text"
	FormList   Form = "list"
	FormBool   Form = "boolean"
	FormNumber Form = "number"
)

// Scalars returns the options that fit in one string, in the order of the
// documentation. Lists are comma-separated.
func Scalars() []Scalar {
	return []Scalar{
		list("workloadArchitectures", "spec.cluster.workloadArchitectures",
			"architectures of the nodes that run VMs, such as amd64,arm64",
			func(s *GoldenImagesSpec) *[]string { return &s.Cluster.WorkloadArchitectures }),
		listOrNone("controlPlaneArchitectures", "spec.cluster.controlPlaneArchitectures",
			"architectures of the control-plane nodes, or none if HCO sees no such node",
			func(s *GoldenImagesSpec) *[]string { return &s.Cluster.ControlPlaneArchitectures }),
		list("inputs", "spec.inputs", "files to read in addition to the items", func(s *GoldenImagesSpec) *[]string { return &s.Inputs }),
		text("mode", "spec.mode",
			"whether the run corrects the CRs, or changes nothing and fails on what check fails on: Write, Check",
			func(s *GoldenImagesSpec) *Mode { return &s.Mode }),
		text("platform", "spec.platform", "kind of cluster: openshift, kubernetes", func(s *GoldenImagesSpec) *Platform { return &s.Platform }),
		text("release", "spec.release", "release of HCO (1.19) or of OpenShift Virtualization (4.22, 5.0) on the cluster",
			func(s *GoldenImagesSpec) *string { return &s.Release }),
		text("predefined", "spec.predefined", "whose predefined templates HCO has: Auto, upstream, openshift, none",
			func(s *GoldenImagesSpec) *Predefined { return &s.Predefined }),
		text("existing", "spec.existing", "what to do with declared architectures that a person wrote: Narrow, Replace, Keep",
			func(s *GoldenImagesSpec) *Existing { return &s.Existing }),
		list("allow", "spec.allow", "the only architectures to declare, such as amd64,arm64", func(s *GoldenImagesSpec) *[]string { return &s.Allow }),
		text("unsupported", "spec.unsupported",
			"what to do with a template that has no image for any workload node: Disable, Fail, Keep",
			func(s *GoldenImagesSpec) *Unsupported { return &s.Unsupported }),
		text("unresolved", "spec.unresolved", "what to do if the architectures of an image are unknown: Fail, Keep",
			func(s *GoldenImagesSpec) *Unresolved { return &s.Unresolved }),
		text("gate", "spec.gate", "what to do with the multi-arch gate enableMultiArchBootImageImport: Auto, Enable, Disable, Keep",
			func(s *GoldenImagesSpec) *Gate { return &s.Gate }),
		text("singleArchitecture", "spec.singleArchitecture", "place workloads only on nodes of this architecture, such as amd64",
			func(s *GoldenImagesSpec) *string { return &s.SingleArchitecture }),
		text("defaults", "spec.defaults", "whether to write what HCO's webhook adds: Keep, Write", func(s *GoldenImagesSpec) *Defaults { return &s.Defaults }),
		text("expand", "spec.expand.mode", "emit DataImportCrons and DataSources: None, Emit, TakeOver",
			func(s *GoldenImagesSpec) *ExpandMode { return &s.Expand.Mode }),
		text("expandNamespace", "spec.expand.namespace", "namespace of the golden images", func(s *GoldenImagesSpec) *string { return &s.Expand.Namespace }),
		text("expandDataSources", "spec.expand.dataSources", "which DataSources to emit: All, Reference, None",
			func(s *GoldenImagesSpec) *ExpandDataSources { return &s.Expand.DataSources }),
		boolean("expandPredefined", "spec.expand.predefined", "also expand predefined templates that are not in the CR",
			func(s *GoldenImagesSpec) *bool { return &s.Expand.Predefined }),
		boolean("expandSupport", "spec.expand.support", "also emit the namespace and the permissions to clone from it",
			func(s *GoldenImagesSpec) *bool { return &s.Expand.Support }),
		boolean("expandReplaceOnChange", "spec.expand.replaceOnChange",
			"let Argo CD and Flux delete and recreate changed DataImportCrons",
			func(s *GoldenImagesSpec) *bool { return &s.Expand.ReplaceOnChange }),
		text("lock", "spec.lock.mode", "how to use an ArchitectureLock: Prefer, Require, Ignore", func(s *GoldenImagesSpec) *LockMode { return &s.Lock.Mode }),
		text("registryTimeout", "spec.registry.timeout", "time limit for all registry queries, such as 2m",
			func(s *GoldenImagesSpec) *string { return &s.Registry.Timeout }),
		text("registryRequestTimeout", "spec.registry.requestTimeout", "time limit for one request to a registry, such as 15s",
			func(s *GoldenImagesSpec) *string { return &s.Registry.RequestTimeout }),
		number("registryRetries", "spec.registry.retries", "number of retries of a failed request",
			func(s *GoldenImagesSpec) *int { return s.Registry.Retries }, func(s *GoldenImagesSpec, n int) { s.Registry.Retries = &n }),
		number("registryConcurrency", "spec.registry.concurrency", "number of parallel requests to one registry",
			func(s *GoldenImagesSpec) *int { return &s.Registry.Concurrency }, func(s *GoldenImagesSpec, n int) { s.Registry.Concurrency = n }),
		number("registryRequestsPerSecond", "spec.registry.requestsPerSecond", "number of requests per second to one registry, 0 for no limit",
			func(s *GoldenImagesSpec) *int { return &s.Registry.RequestsPerSecond }, func(s *GoldenImagesSpec, n int) { s.Registry.RequestsPerSecond = n }),
		text("verify", "spec.registry.verify", VerifyHelp, func(s *GoldenImagesSpec) *Verify { return &s.Registry.Verify }),
		list("registryInsecure", "spec.registry.insecure", "registries to query over plain HTTP, or with any certificate",
			func(s *GoldenImagesSpec) *[]string { return &s.Registry.Insecure }),
		list("registryPullSecrets", "spec.registry.pullSecrets",
			"Secrets of the input with registry credentials, as name or namespace/name",
			func(s *GoldenImagesSpec) *[]string { return &s.Registry.PullSecrets }),
		list("registryCertificateAuthorities", "spec.registry.certificateAuthorities",
			"ConfigMaps of the input with certificate authorities, as name or namespace/name",
			func(s *GoldenImagesSpec) *[]string { return &s.Registry.CertificateAuthorities }),
		text("workloads", "spec.workloads", "pods, their images and node affinity: Affinity, Check, None",
			func(s *GoldenImagesSpec) *WorkloadMode { return &s.Workloads }),
		text("csvLabels", "spec.csvLabels", "the labels of a ClusterServiceVersion for architectures: Write, Check, Off",
			func(s *GoldenImagesSpec) *CSVLabels { return &s.CSVLabels }),
	}
}

// text returns an option whose string is the value itself.
func text[T ~string](key, path, help string, at func(*GoldenImagesSpec) *T) Scalar {
	return Scalar{
		Key: key, Flag: kebab(key), Path: path, Help: help, Form: FormText,
		Set: func(s *GoldenImagesSpec, value string) error {
			*at(s) = T(strings.TrimSpace(value))
			return nil
		},
		Get: func(s *GoldenImagesSpec) string { return string(*at(s)) },
	}
}

// boolean returns an option that is true or false.
func boolean(key, path, help string, at func(*GoldenImagesSpec) *bool) Scalar {
	return Scalar{
		Key: key, Flag: kebab(key), Path: path, Help: help + ": true, false", Form: FormBool,
		Set: func(s *GoldenImagesSpec, value string) error {
			switch value = strings.TrimSpace(value); value {
			case "true", "false", "":
				*at(s) = value == "true"
				return nil
			default:
				return fmt.Errorf("%q is neither true nor false%s", value, spelling.DidYouMean(value, []string{"false", "true"}))
			}
		},
		Get: func(s *GoldenImagesSpec) string { return strconv.FormatBool(*at(s)) },
	}
}

// number returns an option that is a whole number. get returns nil for one that is not set.
func number(key, path, help string, get func(*GoldenImagesSpec) *int, set func(*GoldenImagesSpec, int)) Scalar {
	return Scalar{
		Key: key, Flag: kebab(key), Path: path, Help: help, Form: FormNumber,
		Set: func(s *GoldenImagesSpec, value string) error {
			n, err := strconv.Atoi(strings.TrimSpace(value))
			if err != nil {
				return fmt.Errorf("%q is not a whole number: %w", value, errors.Unwrap(err))
			}
			set(s, n)
			return nil
		},
		Get: func(s *GoldenImagesSpec) string {
			if n := get(s); n != nil {
				return strconv.Itoa(*n)
			}
			return ""
		},
	}
}

// list returns an option whose string has commas between the values.
func list(key, path, help string, at func(*GoldenImagesSpec) *[]string) Scalar {
	return Scalar{
		Key: key, Flag: kebab(key), Path: path, Help: help + " (comma-separated)", Form: FormList,
		Set: func(s *GoldenImagesSpec, value string) error {
			values, err := splitList(value)
			*at(s) = values
			return err
		},
		Get: func(s *GoldenImagesSpec) string { return strings.Join(*at(s), ",") },
	}
}

// noneWord states an empty list where a string cannot: an empty string states nothing.
const noneWord = "none"

// listOrNone returns the option of a list in which an empty list says something else than a
// missing one.
func listOrNone(key, path, help string, at func(*GoldenImagesSpec) *[]string) Scalar {
	option := list(key, path, help, at)
	set, get := option.Set, option.Get
	option.Set = func(s *GoldenImagesSpec, value string) error {
		if strings.TrimSpace(value) == noneWord {
			*at(s) = []string{}
			return nil
		}
		return set(s, value)
	}
	option.Get = func(s *GoldenImagesSpec) string {
		if list := *at(s); list != nil && len(list) == 0 {
			return noneWord
		}
		return get(s)
	}
	return option
}

func splitList(value string) ([]string, error) {
	if strings.TrimSpace(value) == "" {
		return nil, nil
	}
	var out []string
	for part := range strings.SplitSeq(value, ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			return nil, fmt.Errorf("the list %q has an empty element", value)
		}
		out = append(out, part)
	}
	return out, nil
}

// kebab returns a key as flags are spelled: workload-architectures.
func kebab(key string) string {
	var b strings.Builder
	for _, r := range key {
		if r >= 'A' && r <= 'Z' {
			b.WriteByte('-')
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

const configMapKind = "ConfigMap"

// configMap is the part of a core v1 ConfigMap that can hold a configuration.
type configMap struct {
	TypeMeta   `json:",inline"`
	ObjectMeta `json:"metadata"`
	Data       map[string]string `json:"data"`
}

// decodeConfigMap reads the configuration from the data of a ConfigMap, as "kpt fn eval
// -- key=value" creates one.
func decodeConfigMap(object map[string]any, spec *GoldenImagesSpec) Errors {
	var config configMap
	errs := decodeStrict(object, &config)
	scalars := map[string]Scalar{}
	for _, scalar := range Scalars() {
		scalars[scalar.Key] = scalar
	}
	for _, key := range sortedKeys(config.Data) {
		scalar, ok := scalars[key]
		if !ok {
			errs.add("data."+key, "unknown key %q%s", key, spelling.DidYouMean(key, sortedKeys(scalars)))
			continue
		}
		if err := scalar.Set(spec, config.Data[key]); err != nil {
			errs.add("data."+key, "%s", err)
		}
	}
	return errs
}

// inData returns the errors with the paths of the ConfigMap that held the spec:
// data.workloadArchitectures, not spec.cluster.workloadArchitectures[1].
func (e Errors) inData() Errors {
	scalars := Scalars()
	out := make(Errors, len(e))
	for i, one := range e {
		for _, scalar := range scalars {
			if one.Path == scalar.Path || strings.HasPrefix(one.Path, scalar.Path+"[") {
				one.Path = "data." + scalar.Key
			}
		}
		out[i] = one
	}
	return out
}

// FindScalar returns an option by its key, or by the key as flags are spelled:
// "workloadArchitectures" or "workload-architectures". The error for an unknown name suggests
// the nearest known one, or lists all.
func FindScalar(name string) (Scalar, error) {
	var keys, flags []string
	for _, scalar := range Scalars() {
		if name == scalar.Flag || name == scalar.Key {
			return scalar, nil
		}
		keys, flags = append(keys, scalar.Key), append(flags, scalar.Flag)
	}
	hint := spelling.DidYouMean(name, keys)
	if strings.Contains(name, "-") {
		hint = spelling.DidYouMean(name, flags)
	}
	if hint == "" {
		hint = ": expected one of " + strings.Join(keys, ", ")
	}
	return Scalar{}, fmt.Errorf("unknown setting %q%s", name, hint)
}
