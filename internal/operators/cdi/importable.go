package cdi

import "github.com/goldenarch/goldenarch/internal/arch"

// Importable returns the architectures of which CDI imports one if nothing asks for one: those
// of the image that a node has, and of an image with a single one that one. The result is empty
// if no node has one of several. Without nodes, it is all of the image.
func Importable(image, nodes arch.Set) arch.Set {
	if len(image) < 2 || len(nodes) == 0 {
		return image
	}
	return image.Intersect(nodes)
}
