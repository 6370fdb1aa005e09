// Package credential finds the credentials for a repository where podman and
// docker keep them (auth.json, config.json, and credential helpers), or among
// those that were handed over, out of pull secrets.
//
// The most specific key wins over all files ("quay.io/org" before "quay.io"),
// always the same one, and a helper runs once for a registry. Neither
// go-containerregistry's keychain (host keys only, in random order) nor
// go.podman.io/image's (first file that has any key; no credsStore; no
// REGISTRY_AUTH_FILE) does that.
package credential
