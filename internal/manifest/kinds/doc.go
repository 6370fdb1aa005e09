// Package kinds says what an object is to goldenarch: a CR to write, a dump of the live
// CR, a Node, an object of goldenarch's own kinds, or an object of a similar kind. It also
// says when two objects are the same object on the cluster.
package kinds
