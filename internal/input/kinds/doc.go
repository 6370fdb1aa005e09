// Package kinds says which kind an object is to goldenarch: a CR to write, a dump of
// the live CR, a Node, a kind of goldenarch's own, or nearly one of these. It also says
// when two objects are one on the cluster.
package kinds
