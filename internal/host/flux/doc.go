// Package flux protects the rendered and checked objects from Flux's variable substitution.
// A Flux Kustomization with spec.postBuild replaces ${name} anywhere in an object,
// including a script or a patch in an annotation. It replaces an unknown name with an empty
// text, and $$ with one $.
package flux
