// Package object reads Kubernetes objects out of items. An [Object] is an item or an
// element of an item that is a List. It knows its file, its place and its lines, and
// how kubectl and the API server would read it: aliases, keys that are duplicated,
// Lists without an end.
package object
