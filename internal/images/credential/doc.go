// Package credential finds the credentials for a repository. It searches the places where
// podman and docker keep them (auth.json, config.json, and credential helpers), and the
// logins from pull secrets that the caller passes.
//
// The most specific key wins over all files ("quay.io/org" before "quay.io"), always the
// same one, and a helper runs once for a registry. go-containerregistry reads each login.
// docs/dev/libraries.md says which cases its keychain, and that of go.podman.io/image, fail.
package credential
