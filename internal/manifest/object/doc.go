// Package object reads Kubernetes objects from items. An [Object] is an item, or an element
// of an item that is a List. It knows its file, its place and its lines. It also knows how
// kubectl and the API server would read it: aliases, duplicate keys, infinite Lists.
package object
