// Package mirror says where images can be had: a [Policy] turns the name of an
// image into the [Place]s to ask for it, in their order, the source last.
//
// Its rules are those of containers/image's registries.conf, version 2, which
// CRI-O and podman follow; OpenShift translates its mirror sets
// (ImageDigestMirrorSet, ImageTagMirrorSet, ImageContentSourcePolicy) into such
// a file, and so does [Translate]. Reading the file itself is
// registry/mirror/registriesconf's; nothing is asked here.
package mirror
