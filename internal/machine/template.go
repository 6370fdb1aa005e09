package machine

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/operators/kubevirt"
	"github.com/goldenarch/goldenarch/internal/pattern"
)

// parameter is a parameter of a template.
type parameter struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// readTemplate returns the machines of a Template of OpenShift, with the default values of its
// parameters. A parameter without one stays as it is written.
func readTemplate(o object.Object, data []byte) ([]Found, error) {
	var t struct {
		Objects    []json.RawMessage `json:"objects"`
		Parameters []parameter       `json:"parameters"`
	}
	if err := kubevirt.ReadFields(data, &t); err != nil {
		return nil, err
	}
	var out []Found
	for i, raw := range t.Objects {
		raw, err := substituted(raw, t.Parameters)
		if err != nil {
			return nil, err
		}
		h, err := kubevirt.ReadHead(raw)
		if err != nil {
			return nil, fmt.Errorf("objects[%d]: %w", i, err)
		}
		kind := kubevirt.Kind(h.Kind)
		group, _, _ := strings.Cut(h.APIVersion, "/")
		if group != kubevirtGroup && group != poolGroup || !slices.Contains(machineKinds[group], h.Kind) {
			continue
		}
		f := Found{Object: o, Inner: h.Kind + "/" + h.Metadata.Name}
		f.Namespace = h.Metadata.Namespace
		if err := f.readSpec(kind, raw); err != nil {
			return nil, fmt.Errorf("objects[%d]: %w", i, err)
		}
		f.Path = fmt.Sprintf("objects[%d].%s", i, f.Path)
		out = append(out, f)
	}
	return out, nil
}

// readVirtualMachineTemplate returns the machine of a VirtualMachineTemplate, with the default
// values of its parameters (virt-template api/v1alpha1/types.go).
func readVirtualMachineTemplate(o object.Object, data []byte) ([]Found, error) {
	var t struct {
		Spec struct {
			VirtualMachine json.RawMessage `json:"virtualMachine"`
			Parameters     []parameter     `json:"parameters"`
		} `json:"spec"`
	}
	if err := kubevirt.ReadFields(data, &t); err != nil || len(t.Spec.VirtualMachine) == 0 {
		return nil, err
	}
	raw, err := substituted(t.Spec.VirtualMachine, t.Spec.Parameters)
	if err != nil {
		return nil, err
	}
	h, err := kubevirt.ReadHead(raw)
	if err != nil {
		return nil, fmt.Errorf("spec.virtualMachine: %w", err)
	}
	f := Found{Object: o, Inner: string(kubevirt.VirtualMachine) + "/" + h.Metadata.Name}
	f.Namespace = h.Metadata.Namespace
	if err := f.readSpec(kubevirt.VirtualMachine, raw); err != nil {
		return nil, err
	}
	f.Path = "spec.virtualMachine." + f.Path
	return []Found{f}, nil
}

var (
	// inText is ${NAME} in a string, and wholeText ${{NAME}} as a whole one, which stands for
	// a value of any type (openshift/library-go pkg/template/templateprocessing).
	inText    = pattern.Of(`\$\{([a-zA-Z0-9_]+)\}`)
	wholeText = pattern.Of(`^\$\{\{([a-zA-Z0-9_]+)\}\}$`)
)

// substituted returns an object of a template with the values of the parameters.
func substituted(raw json.RawMessage, parameters []parameter) (json.RawMessage, error) {
	var tree any
	if err := kubevirt.ReadFields(raw, &tree); err != nil {
		return nil, err
	}
	values := map[string]string{}
	for _, p := range parameters {
		values[p.Name] = p.Value
	}
	out, err := json.Marshal(substitute(tree, values))
	if err != nil {
		return nil, fmt.Errorf("encode the object of the template: %w", err)
	}
	return out, nil
}

func substitute(value any, values map[string]string) any {
	switch value := value.(type) {
	case map[string]any:
		for key, child := range value {
			value[key] = substitute(child, values)
		}
	case []any:
		for i, child := range value {
			value[i] = substitute(child, values)
		}
	case string:
		return substituteText(value, values)
	}
	return value
}

func substituteText(text string, values map[string]string) any {
	if parts := wholeText().FindStringSubmatch(text); parts != nil {
		var typed any
		if json.Unmarshal([]byte(values[parts[1]]), &typed) == nil {
			return typed
		}
		return text
	}
	return inText().ReplaceAllStringFunc(text, func(match string) string {
		return cmp.Or(values[inText().FindStringSubmatch(match)[1]], match)
	})
}

// isOpen reports whether a value still has a place for one that a tool fills in.
func isOpen(text string) bool {
	return strings.Contains(text, "${") || strings.Contains(text, "{{") || strings.Contains(text, "$(")
}
