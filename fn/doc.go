// Package fn is goldenarch for Go programs that embed it.
//
// [Function] is the KRM function: a ResourceListProcessor of kyaml's framework. Pass it to framework.Execute, or to any other
// code that takes a processor. Package kptfn adapts it to kpt's SDK. Process corrects the HyperConverged CRs among the items and reports its
// findings in the results. On an error it leaves the items unchanged.
//
// [Check] judges items as they are committed, and [Forecast] predicts what the operators do with them. All of them take [Options], in which
// a program states the cluster and answers for images with a [Resolver] of its own.
package fn
