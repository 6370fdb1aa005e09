package kptfn

import (
	"fmt"

	kpt "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"sigs.k8s.io/kustomize/kyaml/fn/framework"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Processor adapts a processor of kyaml's framework, such as goldenarch's fn.Function, to
// kpt's SDK. It returns a ResourceListProcessorFunc because the SDK's AsMain and Run accept
// no other type.
//
// An object that the function does not change stays the same object. On an error the items
// stay unchanged, as the function promises.
func Processor(p framework.ResourceListProcessor) kpt.ResourceListProcessorFunc {
	return func(rl *kpt.ResourceList) (bool, error) {
		carried, err := carry(rl)
		if err != nil {
			return false, err
		}
		failed := p.Process(carried.list)
		if err := carried.back(rl); err != nil {
			return false, err
		}
		return failed == nil, failed
	}
}

// carried is a ResourceList of kpt's SDK as one of kyaml's.
type carried struct {
	list *framework.ResourceList
	// from has the object that each item comes from, and text its original YAML.
	from map[*yaml.RNode]*kpt.KubeObject
	text map[*yaml.RNode]string
}

func carry(rl *kpt.ResourceList) (carried, error) {
	c := carried{list: &framework.ResourceList{}, from: map[*yaml.RNode]*kpt.KubeObject{}, text: map[*yaml.RNode]string{}}
	if rl.FunctionConfig != nil && !rl.FunctionConfig.IsEmpty() {
		config, err := yaml.Parse(rl.FunctionConfig.String())
		if err != nil {
			return c, fmt.Errorf("read the functionConfig: %w", err)
		}
		c.list.FunctionConfig = config
	}
	for i, object := range rl.Items {
		item, err := yaml.Parse(object.String())
		if err != nil {
			return c, fmt.Errorf("read items[%d]: %w", i, err)
		}
		text, err := item.String()
		if err != nil {
			return c, fmt.Errorf("read items[%d]: %w", i, err)
		}
		c.list.Items = append(c.list.Items, item)
		c.from[item], c.text[item] = object, text
	}
	return c, nil
}

// back puts the items and the results into the list that the items come from.
func (c carried) back(rl *kpt.ResourceList) error {
	items := make(kpt.KubeObjects, 0, len(c.list.Items))
	for i, item := range c.list.Items {
		text, err := item.String()
		if err != nil {
			return fmt.Errorf("write items[%d]: %w", i, err)
		}
		if object, ok := c.from[item]; ok && c.text[item] == text {
			items = append(items, object)
			continue
		}
		object, err := kpt.ParseKubeObject([]byte(text))
		if err != nil {
			return fmt.Errorf("write items[%d]: %w", i, err)
		}
		items = append(items, object)
	}
	rl.Items = items
	for _, r := range c.list.Results {
		rl.Results = append(rl.Results, resultOf(r))
	}
	return nil
}

// resultOf returns a result of kyaml's framework as one of kpt's SDK.
func resultOf(r *framework.Result) *kpt.Result {
	out := &kpt.Result{Message: r.Message, Severity: kpt.Severity(r.Severity), Tags: r.Tags}
	if ref := r.ResourceRef; ref != nil {
		out.ResourceRef = &kpt.ResourceRef{APIVersion: ref.APIVersion, Kind: ref.Kind, Name: ref.Name, Namespace: ref.Namespace}
	}
	if r.Field != nil {
		out.Field = &kpt.Field{Path: r.Field.Path, CurrentValue: r.Field.CurrentValue, ProposedValue: r.Field.ProposedValue}
	}
	if r.File != nil {
		out.File = &kpt.File{Path: r.File.Path, Index: r.File.Index}
	}
	return out
}
