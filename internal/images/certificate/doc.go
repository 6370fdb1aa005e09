// Package certificate knows by which certificates a registry is trusted, and by
// which it knows us: the authorities that were handed over, and the directories
// certs.d of podman and docker. What is found is added to the authorities of
// the system (SSL_CERT_FILE, SSL_CERT_DIR), and counts for one host, or, where a
// person says so, for all.
package certificate
