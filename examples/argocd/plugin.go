// Package argocd has the example that installs goldenarch as a plugin of Argo CD, for
// "goldenarch init --argocd".
//
// The package is pure: no network, no files, no clock, no environment.
package argocd

import _ "embed" // the files are part of the program

var (
	//go:embed plugin/kustomization.yaml
	kustomization string
	//go:embed plugin/plugin.yaml
	plugin string
	//go:embed plugin/repo-server.yaml
	repoServer string
)

// Image is the image in the files, which nobody has published.
const Image = "ghcr.io/goldenarch/goldenarch:v0.1.0"

// Plugin returns the files of the directory plugin, a kustomize component, by name.
func Plugin() map[string]string {
	return map[string]string{"kustomization.yaml": kustomization, "plugin.yaml": plugin, "repo-server.yaml": repoServer}
}
