// Package fn is the KRM function, for Go programs that embed it. [Function] is a
// ResourceListProcessor of kyaml's framework: pass it to framework.Execute, or to any other
// code that takes a processor. Package kptfn adapts it to kpt's SDK.
//
// Process corrects the HyperConverged CRs among the items and reports its findings in the
// results. On an error it leaves the items unchanged.
package fn
