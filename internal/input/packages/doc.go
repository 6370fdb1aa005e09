// Package packages splits the items that kpt passes to a function by the packages that
// they are in. kpt passes the items of the packages below with those of the package, and
// names the files of each relative to its own package. Two packages that each have a CR
// describe two clusters: each CR is decided with the facts of its own package, and with
// those that the clusters share.
package packages
