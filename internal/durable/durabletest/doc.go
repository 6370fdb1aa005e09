// Package durabletest has a disk that fails, for tests of what writes files.
package durabletest
