package admission

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/spelling"
)

// unreadable is the message of HCO's mutating webhook for an object that does not fit its
// Go types (hco hyperConvergedMutator.go).
const unreadable = "failed to parse the HyperConverged"

// nilPointer is Go's message for the panic.
const nilPointer = "runtime error: invalid memory address or nil pointer dereference"

// request is a create request on its way through HCO's webhooks.
type request struct {
	// text is the JSON of the object as somebody creates it, and written the same as encode writes it.
	text, written []byte
	// object is the object in its present state.
	object  map[string]any
	version hyperconverged.Version
	release v1alpha1.Release
	table   hyperconverged.Table
	parsed  *hyperconverged.Parsed
}

// admit sends the object through both webhooks. The mutating webhook changes it.
func (r request) admit(crd *structure) Result {
	out := Result{Admission: Admission{MutatorWarnings: []string{}, ValidatorWarnings: []string{}}}
	answer := &out.Admission
	cr := r.read()
	if cr == nil || !crd.typed(r.object) || !r.durationsRead() {
		answer.MutatorDenied = unreadable
		return out
	}
	change := r.mutate(cr)
	if answer.MutatorDenied = change.denied; change.denied != "" {
		return out
	}
	answer.MutatorWarnings = append(answer.MutatorWarnings, change.warnings...)
	if err := change.patch.apply(r.object); err != nil {
		answer.PatchError = err.Error()
		return out
	}
	// The API server sets defaults once more after a webhook's patch.
	crd.fill(r.object)
	if out.Stored = encode(r.object); bytes.Equal(out.Stored, r.written) {
		out.Stored, out.Model = r.text, cr
	} else {
		answer.Changed = true
		out.Model, _ = hyperconverged.Parse(out.Stored)
	}
	warnings, err := r.validate(out.Model)
	switch {
	case errors.Is(err, hyperconverged.ErrPanic):
		answer.Panic = "validator: " + nilPointer
		return out
	case err != nil:
		answer.ValidatorDenied = err.Error()
	}
	answer.ValidatorWarnings = append(answer.ValidatorWarnings, warnings...)
	return out
}

// read reads the object that the mutating webhook gets. It returns nil if the object does not fit HCO's
// types. Defaults of the CRD change nothing that the webhook reads of a CR's model, and unknown fields
// are not part of it, so that the CR as written will do, which others have parsed.
func (r request) read() *hyperconverged.CR {
	if cr, _ := r.parsed.Parse(r.text); cr != nil {
		return cr
	}
	cr, _ := hyperconverged.Parse(encode(r.object))
	return cr
}

// spec returns the value at a path below spec; nil if the path does not exist.
func (r request) spec(path ...string) any { return lookup(r.object["spec"], path...) }

// change is the answer of HCO's mutating webhook.
type change struct {
	denied   string
	warnings []string
	patch    patch
}

// mutate applies HCO's mutating webhook on create (hco hyperConvergedMutator.go,
// v1beta1_hyperConvergedMutator.go), in the webhook's order. If several operations fail, it
// reports the first.
func (r request) mutate(cr *hyperconverged.CR) change {
	made := change{patch: r.templates(cr)}
	made.patch = append(made.patch, r.eviction()...)
	if r.version == hyperconverged.V1beta1 {
		made.patch = append(made.patch, r.deviceTypes()...)
	}
	if r.version == hyperconverged.V1 && text(r.spec("virtualization"), "tuningPolicy") == highBurst {
		made.patch = append(made.patch, operation{op: "remove", path: []string{"spec", "virtualization", "tuningPolicy"}})
	}
	if hyperconverged.FillsKSM.In(r.release) && r.spec(r.below("ksmConfiguration")...) == nil {
		made.patch = append(made.patch, adding(map[string]any{}, r.below("ksmConfiguration")...))
	}
	if r.version == hyperconverged.V1 && hyperconverged.GateIsField.In(r.release) {
		r.synchronise(cr, &made)
	}
	return made
}

// templates completes every entry of the list, including disabled ones (hco
// hyperConvergedMutator.go: getDICTPatches). The patch fails on an entry without metadata.
func (r request) templates(cr *hyperconverged.CR) patch {
	var p patch
	for i, t := range cr.Templates {
		entry := r.version.Paths().Templates.Child(strconv.Itoa(i))
		if t.Metadata == nil || t.Metadata.Annotations == nil {
			p = append(p, operation{
				op: "add", path: entry.Child("metadata", "annotations"), value: map[string]any{hyperconverged.BindAnnotation: "true"},
			})
		} else if _, ok := t.Annotation(hyperconverged.BindAnnotation); !ok {
			p = append(p, operation{op: "add", path: entry.Child("metadata", "annotations", hyperconverged.BindAnnotation), value: "true"})
		}
		if t.Spec == nil || !hyperconverged.SetsRetention.In(r.release) {
			continue
		}
		if t.Spec.RetentionPolicy == nil {
			p = append(p, operation{op: "add", path: entry.Child("spec", "retentionPolicy"), value: "None"})
		}
		if t.Spec.ImportsToKeep == nil {
			p = append(p, operation{op: "add", path: entry.Child("spec", "importsToKeep"), value: int64(1)})
		}
	}
	return p
}

// eviction returns a patch that replaces an eviction strategy which does not exist. Such a
// patch fails, so nobody can create an object that has a live CR's status (hco
// hyperConvergedMutator.go: mutateEvictionStrategy).
func (r request) eviction() patch {
	available, ok := lookup(r.object, "status", "infrastructureHighlyAvailable").(bool)
	if !ok || r.spec(r.below("evictionStrategy")...) != nil {
		return nil
	}
	strategy := "None"
	if available {
		strategy = "LiveMigrate"
	}
	return patch{{op: "replace", path: append([]string{"spec"}, r.below("evictionStrategy")...), value: strategy}}
}

// deviceTypes copies the types of mediated devices from the old name of the field.
func (r request) deviceTypes() patch {
	var p patch
	move := func(part any, path ...string) {
		former, _ := lookup(part, "mediatedDevicesTypes").([]any)
		if now, _ := lookup(part, "mediatedDeviceTypes").([]any); len(former) > 0 && len(now) == 0 {
			p = append(p, adding(former, append(path, "mediatedDeviceTypes")...))
		}
	}
	devices := r.spec("mediatedDevicesConfiguration")
	move(devices, "mediatedDevicesConfiguration")
	nodes, _ := lookup(devices, "nodeMediatedDeviceTypes").([]any)
	for i, node := range nodes {
		move(node, "mediatedDevicesConfiguration", "nodeMediatedDeviceTypes", strconv.Itoa(i))
	}
	return p
}

// below returns where a version keeps a setting of virtualization, relative to spec.
func (r request) below(key string) []string {
	if r.version == hyperconverged.V1 {
		return []string{"virtualization", key}
	}
	return []string{key}
}

// adding returns the operation that adds a field below spec.
func adding(value any, path ...string) operation {
	return operation{op: "add", path: append([]string{"spec"}, path...), value: value}
}

// movedGate is a feature gate of the v1 list that has become a field.
type movedGate struct {
	name  string
	field []string // below spec
	// reverse says that the field is off if the gate is on.
	reverse bool
	// grows says that HCO creates missing parents of the field.
	grows bool
}

// movedGates has HCO's order (hco mutator/fg_to_fields.go).
var movedGates = []movedGate{
	{name: "disableMDevConfiguration", field: []string{"virtualization", "mediatedDevicesConfiguration", "enabled"}, reverse: true, grows: true},
	{name: "persistentReservation", field: []string{"storage", "persistentReservationConfiguration", "enabled"}, grows: true},
	{name: hyperconverged.GateName, field: []string{"workloadSources", hyperconverged.GateName}},
}

// synchronise sets the field of each feature gate that is in the list. HCO denies a CR in
// which both exist and differ (hco hyperConvergedMutator.go: mutateFieldAndFGOnCreate).
func (r request) synchronise(cr *hyperconverged.CR, made *change) {
	for _, moved := range movedGates {
		gate := hyperconverged.FindGate(cr.FeatureGates, moved.name)
		if gate == nil {
			continue
		}
		path := "spec." + strings.Join(moved.field, ".")
		want := gate.Enabled() != moved.reverse
		field, set := r.spec(moved.field...).(bool)
		if set && field != want {
			value := "equal to the field"
			if moved.reverse {
				value = "equal to the negative value of the field"
			}
			*made = change{denied: fmt.Sprintf(
				"the deprecated %s feature gate, and %s field contradict each other; the feature gate must not be set, or should be %s",
				moved.name, path, value)}
			return
		}
		made.warnings = append(made.warnings, fmt.Sprintf("feature gate %s is deprecated; please use the %s field instead", moved.name, path))
		if !set {
			made.patch = append(made.patch, r.set(moved, want))
		}
	}
}

// set returns the operation that sets the field. HCO creates no parent for the multi-arch
// gate: without spec.workloadSources the patch fails.
func (r request) set(moved movedGate, value bool) operation {
	path, content := moved.field, any(value)
	for moved.grows && len(path) > 1 && r.spec(path[:len(path)-1]...) == nil {
		content = map[string]any{path[len(path)-1]: content}
		path = path[:len(path)-1]
	}
	return adding(content, path...)
}

// shortest is the shortest duration that HCO admits for a certificate.
const shortest = 10 * time.Minute

// certificateTimes are the durations of spec.certConfig, in the order of their
// names.
var certificateTimes = [][]string{{"ca", "duration"}, {"ca", "renewBefore"}, {"server", "duration"}, {"server", "renewBefore"}}

// security returns a setting of certificates or TLS from where the version keeps it.
func (r request) security(path ...string) any {
	if r.version == hyperconverged.V1 {
		return r.spec(append([]string{"security"}, path...)...)
	}
	return r.spec(path...)
}

// durationsRead reports whether HCO can read the durations of certificates. If not, the
// webhooks cannot read the object.
func (r request) durationsRead() bool {
	for _, path := range certificateTimes {
		if s := text(r.security("certConfig"), path...); s != "" {
			if _, err := time.ParseDuration(s); err != nil {
				return false
			}
		}
	}
	return true
}

// validateCertificates refuses durations of certificates that are too short or
// inconsistent. For both versions, the messages use the v1beta1 names of the fields. If
// several durations are too short, HCO names one at random, and goldenarch names the first
// by name.
func (r request) validateCertificates() error {
	times := map[string]time.Duration{}
	for _, path := range certificateTimes {
		name := path[0] + "." + path[1]
		times[name], _ = time.ParseDuration(text(r.security("certConfig"), path...)) // durationsRead
		if times[name] < shortest {
			return fmt.Errorf("spec.certConfig.%s: value is too small", name)
		}
	}
	switch {
	case times["ca.duration"] < times["ca.renewBefore"]:
		return errors.New("spec.certConfig.ca: duration is smaller than renewBefore")
	case times["server.duration"] < times["server.renewBefore"]:
		return errors.New("spec.certConfig.server: duration is smaller than renewBefore")
	case times["ca.duration"] < times["server.duration"]:
		return errors.New("spec.certConfig: ca.duration is smaller than server.duration")
	}
	return nil
}

// validateTLS refuses a TLS profile that would prevent HCO's servers from running.
func (r request) validateTLS() error {
	profile := r.security("tlsSecurityProfile")
	custom := lookup(profile, "custom")
	if custom == nil {
		if text(profile, "type") == "Custom" {
			return errors.New("missing required field spec.tlsSecurityProfile.custom when type is Custom")
		}
		return nil
	}
	ciphers, _ := lookup(custom, "ciphers").([]any)
	switch version := text(custom, "minTLSVersion"); version {
	case "VersionTLS13":
		if len(ciphers) > 0 {
			return errors.New("custom ciphers cannot be selected when minTLSVersion is VersionTLS13")
		}
	case "VersionTLS10", "VersionTLS11", "VersionTLS12":
		if !slices.Contains(ciphers, any("ECDHE-RSA-AES128-GCM-SHA256")) && !slices.Contains(ciphers, any("ECDHE-ECDSA-AES128-GCM-SHA256")) {
			return errors.New("http2: TLSConfig.CipherSuites is missing an HTTP/2-required AES_128_GCM_SHA256 cipher " +
				"(need at least one of ECDHE-RSA-AES128-GCM-SHA256 or ECDHE-ECDSA-AES128-GCM-SHA256)")
		}
	default:
		if r.version == hyperconverged.V1 {
			return fmt.Errorf("invalid value for spec.tlsSecurityProfile.custom.minTLSVersion: %q", version)
		}
		return errors.New("invalid value for spec.tlsSecurityProfile.custom.minTLSVersion")
	}
	return nil
}

// validate applies HCO's validating webhook on create (hco webhooks/validator/validator.go,
// v1beta1_validator.go). From 1.19 on the webhook warns about feature gates even if it
// denies the CR.
func (r request) validate(cr *hyperconverged.CR) (warnings []string, err error) {
	if !hyperconverged.WorksOnV1.In(r.release) {
		return r.validateUntilWarning(cr)
	}
	err = cmp.Or(r.validateFields(cr), validatePlacements(cr))
	if err == nil {
		warnings = r.warnPolicy()
	}
	warnings = append(warnings, r.warnFeatureGates(cr)...)
	if err == nil {
		err = r.validateComponents(cr)
	}
	return warnings, err
}

// validateUntilWarning is validate before 1.19. There a warning is an error that admits the
// CR (hco webhooks/validator/validator.go: ValidationWarning): what would come after it is
// not checked, the placement and the operands included.
func (r request) validateUntilWarning(cr *hyperconverged.CR) ([]string, error) {
	if err := r.validateFields(cr); err != nil {
		return nil, err
	}
	warnings := r.warnFeatureGates(cr)
	if r.version == hyperconverged.V1beta1 { // for v1 the placement comes before the gates
		if len(warnings) == 0 {
			warnings = r.warnPolicy()
		}
		if len(warnings) > 0 {
			return warnings, nil
		}
	}
	if err := validatePlacements(cr); err != nil {
		return nil, err
	}
	if len(warnings) > 0 {
		return warnings, nil
	}
	return nil, r.validateComponents(cr)
}

// validateFields returns the first problem for which HCO refuses the CR, before it looks at the
// placement.
func (r request) validateFields(cr *hyperconverged.CR) error {
	return cmp.Or(r.validateCertificates(), validateTemplates(cr), r.validateTLS(), r.validateDeviceTypes())
}

// validateComponents makes the SSP CR, as HCO does even on a cluster without SSP. This step
// refuses a duplicate name, and panics on a predefined template without a source (hco
// handlers/ssp.go: NewSSP). HCO converts a v1beta1 object first.
func (r request) validateComponents(cr *hyperconverged.CR) error {
	if cr.Unconvertible != nil && hyperconverged.WorksOnV1.In(r.release) {
		return cr.Unconvertible
	}
	_, err := hyperconverged.Merge(cr, r.table, nil)
	return err
}

// validateTemplates requires a valid enable annotation, and a spec if the template is
// enabled.
func validateTemplates(cr *hyperconverged.CR) error {
	for _, t := range cr.Templates {
		value, ok := t.Annotation(hyperconverged.EnableAnnotation)
		if ok && !slices.Contains([]string{"true", "false"}, strings.ToLower(value)) {
			return fmt.Errorf(`the %s annotation of a dataImportCronTemplate must be either "true" or "false"`, hyperconverged.EnableAnnotation)
		}
		if t.Enabled() && t.Spec == nil {
			return errors.New("dataImportCronTemplate spec is empty for an enabled DataImportCronTemplate")
		}
	}
	return nil
}

// validatePlacements refuses a required node affinity with an invalid term.
func validatePlacements(cr *hyperconverged.CR) error {
	return cmp.Or(validatePlacement("workloads", cr.Workloads), validatePlacement("infra", cr.Infra))
}

func validatePlacement(what string, placement hyperconverged.NodePlacement) error {
	if err := cluster.ValidatePlacement(cluster.Placement(placement)); err != nil {
		return fmt.Errorf("invalid %s node placement affinity: %w", what, err)
	}
	return nil
}

// validateDeviceTypes refuses mediated devices that the two names of the field list
// differently.
func (r request) validateDeviceTypes() error {
	if r.version != hyperconverged.V1beta1 {
		return nil
	}
	devices := r.spec("mediatedDevicesConfiguration")
	nodes, _ := lookup(devices, "nodeMediatedDeviceTypes").([]any)
	for _, part := range append([]any{devices}, nodes...) {
		former, _ := lookup(part, "mediatedDevicesTypes").([]any)
		now, _ := lookup(part, "mediatedDeviceTypes").([]any)
		if len(former) > 0 && len(now) > 0 && !slices.Equal(former, now) {
			return errors.New("mediatedDevicesTypes is deprecated, please use mediatedDeviceTypes instead")
		}
	}
	return nil
}

// highBurst is a tuning policy that HCO no longer supports.
const highBurst = "highBurst"

// warnPolicy warns about the tuning policy in v1beta1, from HCO 1.17 on, although the text names
// 1.16. In v1 the mutating webhook has removed it.
func (r request) warnPolicy() []string {
	if r.version == hyperconverged.V1beta1 && text(r.spec(), "tuningPolicy") == highBurst && hyperconverged.WarnsOfHighBurst.In(r.release) {
		return []string{"spec.tuningPolicy: the highBurst profile is deprecated as of v1.16.0 and will be removed in a future release"}
	}
	return nil
}

// The feature gates of v1, by HCO's message about them. HCO does not know a name that is in
// neither list (hco featuregatedetails/feature-gates.json).
var (
	deprecatedGates = []string{"disableMDevConfiguration", "persistentReservation", hyperconverged.GateName}
	currentGates    = []string{
		"alignCPUs", "containerPathVolumes", "decentralizedLiveMigration", "declarativeHotplugVolumes", "deployKubeSecondaryDNS",
		"downwardMetrics", "incrementalBackup", "objectGraph", "template", "videoConfig",
	}
)

// The list of v1 in HCO 1.18 (hco pkg/featuregatedetails, validator.go: movedFGs).
var (
	currentGates118 = []string{
		"alignCPUs", "containerPathVolumes", "decentralizedLiveMigration", "declarativeHotplugVolumes", "deployKubeSecondaryDNS", "disableMDevConfiguration",
		"downwardMetrics", hyperconverged.GateName, "incrementalBackup", "objectGraph", "persistentReservation", "videoConfig",
	}
	deprecatedGates118 = []string{
		"autoResourceLimits", "deployKubevirtIpamController", "deployTektonTaskResources", "enableManagedTenantQuota", "nonRoot",
		"primaryUserDefinedNetworkBinding", "withHostPassthroughCPU",
	}
	movedGates118 = map[string]string{
		"enableApplicationAwareQuota": "spec.enableApplicationAwareQuota", "enableCommonBootImageImport": "spec.enableCommonBootImageImport",
		"deployVmConsoleProxy": "spec.deployVmConsoleProxy",
	}
)

// warnedGates are the feature gates of v1beta1 that HCO warns about, in the order of its
// warnings. It ignores a gate without a field of v1. A moved gate is now a field of spec (hco
// v1beta1_validator.go: validateDeprecatedFeatureGates, validateOldFGOnCreate).
var warnedGates = []struct {
	name  string
	moved bool
	// field is the field of v1, from HCO 1.19 on, that has its meaning; "" for none.
	field string
}{
	{name: "withHostPassthroughCPU"},
	{name: "deployTektonTaskResources"},
	{name: "nonRoot"},
	{name: "enableManagedTenantQuota"},
	{name: "disableMDevConfiguration", field: "virtualization.mediatedDevicesConfiguration.enabled"},
	{name: "persistentReservation", field: "storage.persistentReservationConfiguration.enabled"},
	{name: hyperconverged.GateName, field: "workloadSources." + hyperconverged.GateName},
	{name: "enableApplicationAwareQuota", moved: true},
	{name: "enableCommonBootImageImport", moved: true},
	{name: "deployVmConsoleProxy", moved: true},
}

func (r request) warnFeatureGates(cr *hyperconverged.CR) []string {
	if r.version == hyperconverged.V1 {
		return r.warnListed(cr)
	}
	var warnings []string
	for _, gate := range warnedGates {
		switch path := "spec.featureGates." + gate.name; {
		case r.spec("featureGates", gate.name) == nil, gate.field != "" && !hyperconverged.WorksOnV1.In(r.release):
		case gate.field != "":
			warnings = append(warnings, fmt.Sprintf("%s is deprecated. Use spec.%s in the v1 API instead; it will be removed in a future version.", path, gate.field))
		case gate.moved:
			warnings = append(warnings, fmt.Sprintf("%s is deprecated and ignored. It will removed in a future version; use spec.%s instead", path, gate.name))
		default:
			warnings = append(warnings, path+" is deprecated and ignored. It will be removed in a future version;")
		}
	}
	return warnings
}

// SimilarFeatureGate returns the feature gate of v1 whose name is nearest to name; "" if no
// gate is near.
func SimilarFeatureGate(name string) string {
	return spelling.Word(name, slices.Concat(currentGates, deprecatedGates))
}

// warnListed warns about the entries of the v1 list, once for each name, as written. HCO's
// own order is random; goldenarch uses the order of the list.
func (r request) warnListed(cr *hyperconverged.CR) []string {
	about := aboutGate
	if !hyperconverged.WorksOnV1.In(r.release) {
		about = aboutGate118
	}
	var warnings, seen []string
	for _, gate := range cr.FeatureGates {
		if what := about(gate.Name); what != "" && !slices.Contains(seen, gate.Name) {
			warnings = append(warnings, fmt.Sprintf("the %s featureGate %s", gate.Name, what))
		}
		seen = append(seen, gate.Name)
	}
	return warnings
}

// aboutGate returns what HCO says about a feature gate of the v1 list; "" for a current one.
func aboutGate(name string) string {
	is := func(known string) bool { return strings.EqualFold(known, name) }
	switch {
	case slices.ContainsFunc(currentGates, is):
		return ""
	case slices.ContainsFunc(deprecatedGates, is):
		return "is deprecated and will be removed in a future release."
	default:
		return "is unknown and ignored."
	}
}

// aboutGate118 is aboutGate of HCO 1.18, which compares names case-sensitively, and has a list of
// its own.
func aboutGate118(name string) string {
	switch {
	case slices.Contains(currentGates118, name):
		return ""
	case movedGates118[name] != "":
		return fmt.Sprintf("is deprecated and ignored. use %s field instead", movedGates118[name])
	case slices.Contains(deprecatedGates118, name):
		return "deprecated and ignored."
	default:
		return "is unknown and ignored."
	}
}
