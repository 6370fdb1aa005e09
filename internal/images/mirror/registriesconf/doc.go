// Package registriesconf reads a containers registries.conf, version 2, and the drop-in
// files beside it, into a [mirror.Policy]. The reader of containers/image interprets the
// file.
package registriesconf
