// Package registriesconf reads a containers registries.conf, version 2, and the
// drop-in files beside it, into a [mirror.Policy]. What the file means is
// decided by containers/image's own reader.
package registriesconf
