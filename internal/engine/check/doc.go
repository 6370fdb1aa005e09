// Package check judges the result of a run by its prediction. It reports an error if
// the API server or HCO refuses a CR, or if an operator stops at it. It compares the
// input with the rendered items, and the cluster as it is with its predicted state.
// Its [Verdict] says whether what was checked is right, and in which form.
package check
