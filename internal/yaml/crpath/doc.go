// Package crpath reads the value of --cr-path: a file, and where in it a HyperConverged CR,
// or only its spec, is. It finds that place in a YAML tree.
//
// A path has the form that its users know from elsewhere: that of yq and of helm's --set
// (hyperconverged.cr, .items[0]), or a JSON pointer (RFC 6901: /hyperconverged/cr).
package crpath
