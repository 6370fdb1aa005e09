package kustomization

import (
	"strings"

	"sigs.k8s.io/kustomize/api/types"

	"github.com/goldenarch/goldenarch/internal/regular"
)

// kustomizationOf reads the kustomization of a directory, and returns its file.
func kustomizationOf(dir string) (string, types.Kustomization, bool) {
	path := kustomizationFile(dir)
	if path == "" {
		return "", types.Kustomization{}, false
	}
	data, err := regular.Read(path)
	if err != nil {
		return "", types.Kustomization{}, false
	}
	k, ok := decode(data)
	return path, k, ok
}

// cutVersion cuts an apiVersion into group and version.
func cutVersion(apiVersion string) (group, version string, ok bool) {
	return strings.Cut(apiVersion, "/")
}
