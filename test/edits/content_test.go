package edits

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
)

// object is a mapping with its fields in their order, as a file has them. A value is an
// object, a []any, a string, a bool, an int or nil.
type object []field

type field struct {
	key   string
	value any
}

// MarshalJSON writes the fields in their order.
func (o object) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, f := range o {
		if i > 0 {
			out = append(out, ',')
		}
		key, err := json.Marshal(f.key)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(f.value)
		if err != nil {
			return nil, err
		}
		out = append(append(append(out, key...), ':'), value...)
	}
	return append(out, '}'), nil
}

// plain returns a value as a decoder of YAML gives it.
func plain(value any) any {
	switch v := value.(type) {
	case object:
		out := map[string]any{}
		for _, f := range v {
			out[f.key] = plain(f.value)
		}
		return out
	case []any:
		out := []any{}
		for _, entry := range v {
			out = append(out, plain(entry))
		}
		return out
	case string, bool, nil:
		return v
	}
	return fmt.Sprint(value)
}

// statedImages are the images of the cases and what the run states of them.
var statedImages = map[string]string{
	"quay.io/acme/both:1": "amd64,arm64", "quay.io/acme/amd:1": "amd64", "quay.io/acme/arm:2.0": "arm64",
	"quay.io/acme/s390x:1": "s390x", "quay.io/acme/many@sha256:" + digest: "amd64,arm64,ppc64le,s390x",
}

const digest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// free are texts that nobody decides on: plain words, and what needs quotes.
var free = []string{
	"golden", "on nodes", "a: b", "a #b", "it's", `a "b" \c`, "- a", "{{ x }}", "é ü ✓", "", "true", "1.10", "0x10", "null", "~", "*a", "&a", "@a", "|",
	"two\nlines\n", "two\n\nlines\n  more\n", "no end\nhere", "a,b: [c]", "# no comment", " x ", "2026-01-02", "yes", "a\tb", "%a", "key:",
	"https://example.com/?a=b&c=d#e",
}

// drawer draws the content of a case.
type drawer struct{ *rand.Rand }

// one draws one of several.
func one[T any](d drawer, of ...T) T { return of[d.IntN(len(of))] }

// mixed returns fields in a random order.
func (d drawer) mixed(fields ...field) object {
	if d.IntN(3) == 0 {
		d.Shuffle(len(fields), func(i, k int) { fields[i], fields[k] = fields[k], fields[i] })
	}
	return fields
}

// image draws an image.
func (d drawer) image() string {
	var names []string
	for name := range statedImages {
		names = append(names, name)
	}
	slices.Sort(names)
	return one(d, names...)
}

// annotations draws the annotations of an object: none, none yet, or those of a person.
func (d drawer) annotations(more ...field) []field {
	var value any
	switch d.IntN(5) {
	case 0:
		if len(more) == 0 {
			return nil
		}
	case 1:
		if len(more) == 0 {
			value = one[any](d, nil, object{})
			return []field{{"annotations", value}}
		}
	default:
		for i := range 1 + d.IntN(3) {
			more = append(more, field{one(d, "example.com/note", "notes", "a.b/c") + fmt.Sprint(i), one(d, free...)})
		}
	}
	if len(more) == 0 {
		return nil
	}
	return []field{{"annotations", d.mixed(more...)}}
}

// template draws an entry of dataImportCronTemplates.
func (d drawer) template(number int) object {
	name := fmt.Sprintf("image-%d", number)
	var declared []field
	switch d.IntN(4) {
	case 0:
		value := one(d, "amd64", "amd64,arm64", "amd64, arm64", "arm64,amd64", "x86_64", "s390x", "")
		declared = []field{{"ssp.kubevirt.io/dict.architectures", value}}
	case 1:
		declared = []field{{"cdi.kubevirt.io/storage.bind.immediate.requested", one(d, "true", "false")}}
	}
	spec := d.mixed(
		field{"managedDataSource", name},
		field{"schedule", one(d, "0 */12 * * *", "5 4 * * 1", "")},
		field{"template", object{{"spec", d.mixed(
			field{"source", object{{"registry", object{{"url", "docker://" + d.image()}}}}},
			field{"storage", object{{"resources", object{{"requests", object{{"storage", one(d, "10Gi", "30Gi")}}}}}}},
		)}}},
	)
	if d.IntN(3) == 0 {
		spec = append(spec, field{"retentionPolicy", "None"}, field{"garbageCollect", "Outdated"})
	}
	return d.mixed(field{"metadata", d.mixed(append(d.annotations(declared...), field{"name", name})...)}, field{"spec", spec})
}

// cr draws a HyperConverged.
func (d drawer) cr() object {
	var templates []any
	for i := range 1 + d.IntN(4) {
		templates = append(templates, d.template(i))
	}
	spec := []field{{"dataImportCronTemplates", templates}}
	switch d.IntN(5) {
	case 0:
		spec = append(spec, field{"featureGates", one[any](d, nil, object{})})
	case 1:
		spec = append(spec, field{"featureGates", d.mixed(
			field{"enableMultiArchBootImageImport", d.IntN(2) == 0}, field{"deployKubeSecondaryDNS", true})})
	case 2:
		spec = append(spec, field{"featureGates", object{{"deployKubeSecondaryDNS", false}}})
	}
	if d.IntN(3) == 0 {
		spec = append(spec, field{"infra", object{{"nodePlacement", object{{"tolerations", []any{object{{"key", "infra"}, {"operator", "Exists"}}}}}}}})
	}
	if d.IntN(3) == 0 {
		spec = append(spec, field{"workloadUpdateStrategy", object{{"batchEvictionSize", 10}, {"workloadUpdateMethods", []any{"LiveMigrate", "Evict"}}}})
	}
	meta := append(d.annotations(), field{"name", "kubevirt-hyperconverged"}, field{"namespace", "kubevirt-hyperconverged"})
	return d.whole("hco.kubevirt.io/v1beta1", "HyperConverged", meta, field{"spec", d.mixed(spec...)})
}

// whole puts an object together.
func (d drawer) whole(apiVersion, kind string, meta []field, rest ...field) object {
	out := object{{"apiVersion", apiVersion}, {"kind", kind}, {"metadata", d.mixed(meta...)}}
	return append(out, rest...)
}

// other draws an object that no run changes.
func (d drawer) other(number int) object {
	data := d.mixed(field{"a", one(d, free...)}, field{"b.yaml", one(d, free...)}, field{"c", "kind: HyperConvergedNot\n# text\nx: [1,\n 2]\n"})
	return d.whole("v1", "ConfigMap", append(d.annotations(), field{"name", fmt.Sprintf("other-%d", number)}), field{"data", data})
}

// pods draws an object with a pod.
func (d drawer) pods(number int) object {
	var containers []any
	for i := range 1 + d.IntN(2) {
		c := []field{{"name", fmt.Sprintf("c%d", i)}, {"image", d.image()}}
		if d.IntN(3) == 0 {
			c = append(c, field{"args", []any{one(d, free...), one(d, free...)}})
		}
		containers = append(containers, d.mixed(c...))
	}
	spec := []field{{"containers", containers}}
	if d.IntN(4) == 0 {
		spec = append(spec, field{"tolerations", []any{}})
	}
	switch d.IntN(6) {
	case 0:
		spec = append(spec, field{"affinity", one[any](d, nil, object{}, object{{"nodeAffinity", object{}}})})
	case 1:
		term := object{{"matchExpressions", []any{object{{"key", "zone"}, {"operator", "In"}, {"values", []any{"a", "b"}}}}}}
		terms := []any{term}
		if d.IntN(2) == 0 {
			terms = append(terms, object{{"matchExpressions", []any{object{{"key", "disk"}, {"operator", "Exists"}}}}})
		}
		spec = append(spec, field{"affinity", object{{"nodeAffinity", object{{
			"requiredDuringSchedulingIgnoredDuringExecution", object{{"nodeSelectorTerms", terms}},
		}}}}})
	case 2:
		spec = append(spec, field{"affinity", object{{"podAntiAffinity", object{}}}})
	}
	meta := append(d.annotations(), field{"name", fmt.Sprintf("pods-%d", number)})
	pod := d.mixed(spec...)
	kind := one(d, "Pod", "Deployment", "StatefulSet", "DaemonSet", "CronJob")
	labels := object{{"app", "web"}}
	within := object{{"metadata", d.mixed(append(d.annotations(), field{"labels", labels})...)}, {"spec", pod}}
	switch kind {
	case "Pod":
		return d.whole("v1", kind, meta, field{"spec", pod})
	case "CronJob":
		return d.whole("batch/v1", kind, meta, field{"spec", object{{"schedule", "@daily"}, {"jobTemplate", object{{"spec", object{{"template", within}}}}}}})
	}
	return d.whole("apps/v1", kind, meta, field{"spec", d.mixed(field{"selector", object{{"matchLabels", labels}}}, field{"template", within})})
}
