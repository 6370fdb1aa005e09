// Package registry answers one question: which platforms does an image have?
//
// [Resolver] is the whole interface. [Client] is the one that queries registries.
// Everything else about resolving is a thin wrapper around another Resolver:
// [Mirrored] queries mirrors first, and the Resolver of [Client.Verified] looks for the manifest
// of each platform. [ResolveAll] resolves many references at once. A failure is an [*Error].
//
// A query takes these steps. The registry's endpoint authenticates (endpoint.go,
// session.go, login.go, and package credential for the auth files). Package transport
// sends the request, with retries, limits and deadlines. document.go determines the type
// of the manifest from its body, and walk.go collects its platforms. The function explain
// (session.go) explains failures.
//
// It is the only package that speaks HTTP.
package registry
