// Package prediction predicts from the items what HCO, SSP and CDI do with each CR: as
// it is, as it is written, and without the templates that have an error. It turns what
// goes wrong into findings.
package prediction
