// Package check judges the result of a run by its prediction. What the API server or HCO
// refuses, and what an operator stops at, is an error. It compares the input with what
// is rendered, and the cluster with what it will have.
package check
