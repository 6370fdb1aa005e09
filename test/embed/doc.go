// Package embed is a program of somebody else: it embeds goldenarch's function
// through kyaml's framework and through kpt's SDK, with what is public alone.
package embed
