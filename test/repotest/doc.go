// Package repotest has repositories of many clusters, for tests and measurements of
// checks of whole repositories.
package repotest
