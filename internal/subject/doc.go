// Package subject joins each CR with what decisions about it need: the cluster that it
// is for, the predefined templates of its HCO, the overrides, and the questions about
// its images.
package subject
