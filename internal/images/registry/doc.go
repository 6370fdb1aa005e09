// Package registry answers one question: which platforms does an image have?
//
// [Resolver] is the whole interface. [Client] is the one that asks registries;
// everything else about resolving is a thin wrapper around another Resolver, a file
// each: [Mirrored] asks mirrors first, [Recorded] keeps what was fetched in a
// layout. [Replay] answers from such a layout. [ResolveAll] asks for many at once.
// A failure is an [*Error].
//
// The way of a question: a [Reference] is parsed (parse.go); the registry's
// endpoint proves who is asking (endpoint.go, session.go, token.go, and
// internal/credential for the auth files); internal/transport carries the
// request, with retries, limits and deadlines. All that is behind one small
// interface (source.go), which a layout has as well. The manifest is judged by its
// body (document.go) and its platforms are collected (walk.go); what went
// wrong is explained (explain.go).
//
// It is the only package that speaks HTTP.
package registry
