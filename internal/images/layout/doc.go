// Package layout is a directory of manifests and configurations: an OCI image
// layout (OCI image specification, image-layout.md) of which only the small parts
// are needed. [Open] reads one, of whatever tool; a [Recording] adds to one.
//
// A layout is whole at any moment: blobs are there before the index names them,
// and each file takes its name when all of it is on the disk. What a reference
// means, and what a manifest is, is the matter of package registry.
package layout
