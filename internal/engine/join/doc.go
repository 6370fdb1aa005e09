// Package join joins each CR with what decisions about it need: its cluster, the
// predefined templates of its HCO, the overrides, and the image queries.
package join
