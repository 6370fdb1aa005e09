// Package screen lays out text and tables for people, for a screen of a width.
//
// The package is pure: no network, no files, no clock, no environment.
package screen
