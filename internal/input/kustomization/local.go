package kustomization

const (
	localConfig = "config.kubernetes.io/local-config"
	// wasLocal represents the local-config annotation inside kustomize, which drops local
	// configuration at the end of a build (kustomize target/kusttarget.go). A transformer
	// sees local configuration, so goldenarch must see it, too: node facts and locks are
	// local configuration.
	wasLocal = "internal.goldenarch.dev/local-config"
)

// keeper is the name of keepLocal. It never appears in the output.
const keeper = "goldenarch-local-config"

// keepLocal is the transformer that replaces goldenarch as the last one in the
// kustomization. A value of "false" has no effect, and all other values have the same. A
// JSON patch that moves the annotation would do the same, and encode each object twice.
const keepLocal = `apiVersion: builtin
kind: ReplacementTransformer
metadata: {name: ` + keeper + `}
replacements:
- sourceValue: "true"
  targets:
  - select: {annotationSelector: "config.kubernetes.io/local-config,config.kubernetes.io/local-config!=false"}
    fieldPaths: ["metadata.annotations.[internal.goldenarch.dev/local-config]"]
    options: {create: true}
- sourceValue: "false"
  targets:
  - select: {annotationSelector: internal.goldenarch.dev/local-config}
    fieldPaths: ["metadata.annotations.[config.kubernetes.io/local-config]"]
    options: {create: true}
`
