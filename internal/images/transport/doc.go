// Package transport sends small requests to registries and returns whole answers. It
// holds what manifests, blobs and tokens have in common: retries, Retry-After,
// redirects, deadlines, size limits, concurrency for each host, and when it gives up a
// host.
//
// It replaces go-containerregistry's transport. That one follows redirects forever,
// ignores Retry-After, sleeps past its deadline, retries neither truncated bodies nor
// HTTP/2 resets, and reads 100 MiB.
package transport
