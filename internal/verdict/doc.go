// Package verdict has the verdict of a check, and the way on which what was checked gets to
// the cluster: as it is committed, or as goldenarch renders it.
package verdict
