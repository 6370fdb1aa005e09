// Package kustomization builds a directory that has a kustomization, in this
// process and with kustomize's own library, so that "goldenarch render DIR"
// gives what "kustomize build DIR" piped into it would give, and needs neither
// kustomize nor a shell. No function, plugin or other program is run, and
// nothing is fetched. A kustomization that lists goldenarch among its
// transformers means what it says: its configuration is taken out of the build,
// to be carried out on what was built.
package kustomization
