// Package imageref reads references to images: a registry, a repository, and a tag, a
// digest or both. A [Reference] is read once, by [Parse], and carried as that.
package imageref
