// Package flux keeps what was rendered, and checked, as it is on its way through
// Flux. A Flux Kustomization with spec.postBuild replaces ${name} anywhere in an
// object, also in a script or a patch that happens to stand in an annotation,
// and with nothing where it does not know the name.
package flux
