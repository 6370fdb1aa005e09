// Package transformers writes a plan into a HyperConverged CR: into its templates (declared
// architectures, the enable annotation, defaults), the gate and the placement.
//
// An edit changes only its own fields: comments, order, quoting and everything that is
// not goldenarch's stay. Applying the same edit again changes nothing.
//
// The package is pure: no network, no files, no clock, no environment.
package transformers
