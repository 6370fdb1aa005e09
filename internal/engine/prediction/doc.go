// Package prediction predicts from the items what HCO, SSP and CDI do with each CR: as
// it is in the input, as goldenarch writes it, and without the templates that have an
// error. It turns the predicted problems into findings.
package prediction
