// Package access collects what the items of a run hold for asking registries: pull
// secrets, certificate authorities, insecure registries and mirrors. What is missing or
// unusable is a finding only where a registry was asked for the image that needs it.
package access
