// Package olm holds goldenarch's check of OLM bundles against the validator of
// operator-framework/api, in its tests.
package olm
