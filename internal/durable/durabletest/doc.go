// Package durabletest has a disk that fails, for tests of code that writes files.
package durabletest
