// Package answers reads what the operators' own code answered to cases, release by release,
// and compares what goldenarch predicts with it. The answers are in test/oracle/testdata,
// and the programs that made them in test/oracle. Only tests use this package.
package answers
