// Package edit writes what goldenarch decides about a built kustomization into its files: into the
// file or the patch that sets a field, or into patches that one overlay alone has. It looks for
// these afterwards, by kind and original name in the files of the build. So it also finds the lines of
// findings, and says who else builds a file.
package edit
