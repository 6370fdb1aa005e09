// Package defaults has the default limits for queries to registries. The configuration and
// the registry client share them.
package defaults

import "time"

const (
	// Concurrency is the limit of simultaneous requests to one registry. Servers often
	// allow 100 streams on a connection.
	Concurrency = 96
	// Retries is how often goldenarch retries a failed request.
	Retries = 4
	// RequestTimeout limits the time of one request.
	RequestTimeout = 15 * time.Second
)
