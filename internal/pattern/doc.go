// Package pattern compiles regular expressions when they are first needed: hosts
// start a function for every build of a package, and few starts need any.
package pattern
