// Package imagestream follows OpenShift ImageStreams of the input to their images: a
// template's source may name an ImageStream instead of an image.
//
// It reads them as CDI does: it uses the requested tag, in the namespace of the
// DataImportCron.
//
// The package is pure: no network, no files, no clock, no environment.
package imagestream
