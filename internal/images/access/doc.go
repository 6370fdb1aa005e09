// Package access collects the settings for queries to registries from the items of a run:
// pull secrets, certificate authorities, insecure registries and mirrors. A missing or
// unusable setting is a finding only if goldenarch queried the registry for an image that
// needs it.
package access
