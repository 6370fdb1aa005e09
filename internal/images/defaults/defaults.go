// Package defaults says what asking registries takes where nobody says otherwise,
// for the configuration and for the client of the registries alike.
package defaults

import "time"

const (
	// Concurrency is how many requests one registry gets at once. Servers often
	// allow 100 streams a connection.
	Concurrency = 96
	// Retries is how often a failed request is tried again.
	Retries = 4
	// RequestTimeout bounds one request.
	RequestTimeout = 15 * time.Second
)
