// Package pattern compiles regular expressions when goldenarch first needs them. Hosts
// start a function for every build of a package, and few runs need any expression.
package pattern
