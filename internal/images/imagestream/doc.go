// Package imagestream follows OpenShift ImageStreams of the input to the image
// they name: a template's source may name an ImageStream instead of an image.
//
// It reads them as CDI does: the tag asked for, in the namespace of the
// DataImportCron.
//
// The package is pure: no network, no files, no clock, no environment.
package imagestream
