package resourcelist

import "sigs.k8s.io/kustomize/kyaml/yaml"

// List is a ResourceList: what a function gets, and what it returns.
//
// The types are those of kyaml's framework in short: that package brings along
// schemas, validators and templates, which take as long to start as all of kyaml
// besides.
type List struct {
	// FunctionConfig is the function's configuration, nil if there is none.
	FunctionConfig *yaml.RNode
	Items          []*yaml.RNode
	// Results are told to the host. A function that has none leaves those of the
	// functions before it.
	Results []Result
}

// Processor is what a function does to a List. Where it fails, what it left is
// the output all the same, with its results.
type Processor func(*List) error

// Result is something to tell (kustomize
// cmd/config/docs/api-conventions/functions-spec.md).
type Result struct {
	Message string `yaml:"message,omitempty"`
	// Severity is error, warning or info.
	Severity    string                   `yaml:"severity,omitempty"`
	ResourceRef *yaml.ResourceIdentifier `yaml:"resourceRef,omitempty"`
	Field       *Field                   `yaml:"field,omitempty"`
	File        *File                    `yaml:"file,omitempty"`
	Tags        map[string]string        `yaml:"tags,omitempty"`
}

// Field is a field of the object that a result is about.
type Field struct {
	Path          string `yaml:"path,omitempty"`
	CurrentValue  any    `yaml:"currentValue,omitempty"`
	ProposedValue any    `yaml:"proposedValue,omitempty"`
}

// File is where the object stands: the index counts its documents.
type File struct {
	Path  string `yaml:"path,omitempty"`
	Index int    `yaml:"index,omitempty"`
}
