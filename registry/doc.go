// Package registry answers one question: which platforms does an image have?
//
// [Resolver] is the whole interface. One resolver asks a registry; everything
// else about resolving (asking each reference once, limits, retries,
// overrides, locks) is a thin wrapper around another Resolver, a file each.
//
// It is the only package that speaks HTTP.
package registry
