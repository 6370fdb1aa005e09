// Package fn is the KRM function, for Go programs that embed it. [Function] is a
// ResourceListProcessor of kyaml's framework: give it to framework.Execute, or to
// whatever takes a processor. Package kptfn makes it one of kpt's SDK.
//
// Process makes the HyperConverged CRs of the items right and reports what it
// found in the results. On an error it leaves the items as they were.
package fn
