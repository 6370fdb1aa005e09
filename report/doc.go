// Package report shows the same facts to different readers: tables for eyes,
// JSON for programs, YAML for kubectl.
package report
