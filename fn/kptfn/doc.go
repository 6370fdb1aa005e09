// Package kptfn makes goldenarch a function of kpt's SDK
// (github.com/GoogleContainerTools/kpt-functions-sdk/go/fn), for Go programs that
// are built with it. goldenarch's own program does not import it.
package kptfn
