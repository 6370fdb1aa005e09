// Package layout reads and writes a directory of manifests and configurations: an OCI image
// layout (OCI image specification, image-layout.md) that has only the small parts. [Open]
// reads a layout of any tool; a [Recording] adds to one.
//
// A layout is complete at any moment: blobs exist before the index names them, and each
// file gets its name when all of it is on the disk. Package registry interprets references
// and manifests.
package layout
