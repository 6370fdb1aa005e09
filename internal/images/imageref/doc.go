// Package imageref reads references to images: a registry, a repository, and a tag, a
// digest or both. [Parse] reads a reference once, and the other packages pass the
// [Reference] on.
package imageref
