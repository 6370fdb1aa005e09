// Package transport sends small requests to registries and brings back whole
// answers. It holds what is the same for manifests, blobs and tokens: retries,
// Retry-After, redirects, deadlines and sizes, how much one host is asked at
// once, and when a host is given up.
//
// It is written anew because go-containerregistry's transport follows
// redirects for ever, ignores Retry-After, sleeps past its deadline, retries
// neither truncated bodies nor HTTP/2 resets, and reads 100 MiB.
package transport
