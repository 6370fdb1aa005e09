// Package mirror decides where to find an image: a [Policy] turns the name of an image into
// the [Place]s to query, in their order, the source last.
//
// Its rules are those of containers/image's registries.conf, version 2, which CRI-O and
// podman follow. OpenShift translates its mirror sets (ImageDigestMirrorSet,
// ImageTagMirrorSet, ImageContentSourcePolicy) into such a file, and so does [Translate].
// Package registriesconf reads the file itself. This package sends no request.
package mirror
