// Package certificate finds the certificate authorities to trust for a registry, and the
// client certificates to show to it. They come from the caller, and from the certs.d
// directories of podman and docker. Package certificate adds them to the authorities of the
// system (SSL_CERT_FILE, SSL_CERT_DIR). They apply to one host, or to all hosts if the user
// says so.
package certificate
