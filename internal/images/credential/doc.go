// Package credential finds the credentials for a repository. It searches the places where
// podman and docker keep them (auth.json, config.json, and credential helpers), and the
// logins from pull secrets that the caller passes.
//
// The most specific key wins over all files ("quay.io/org" before "quay.io"), always the
// same one, and a helper runs once for a registry. Neither go-containerregistry's keychain
// nor go.podman.io/image's does that. The first knows only host keys, in random order. The
// second uses the first file that has any key, without credsStore and REGISTRY_AUTH_FILE.
package credential
