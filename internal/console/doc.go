// Package console is the one place through which everything shown goes: standard output,
// standard error and Go's logger. Products that programs read keep their bytes. All other
// text passes package sanitize, whoever wrote it: a verb, cobra, kustomize, net/http.
package console
