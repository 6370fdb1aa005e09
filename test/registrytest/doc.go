// Package registrytest is a registry inside the process, for tests: it counts what it is
// asked, and can be as slow, broken and odd as registries are. A [Server] serves the content
// of a [Store], the registry of go-containerregistry, which holds any [Artifact], right or
// wrong. Each way to behave is a [Wrapper] around it: wrappers say which requests they change
// ([On], [First], [OnRepository]) and what is done to them ([Reply], [Truncate], [Redirect],
// [Tokens.Require]).
package registrytest
