package layout

import (
	_ "crypto/sha256" // for go-digest
	_ "crypto/sha512"
	"fmt"
	"path/filepath"

	"github.com/opencontainers/go-digest"
)

// blobName returns the path of the content of a digest, below the layout. A digest comes
// from files that anybody may have written, so an invalid one is an error.
func blobName(name string) (string, error) {
	d := digest.Digest(name)
	if d.Validate() != nil || d.Algorithm() == digest.SHA384 {
		return "", fmt.Errorf("%q is not a digest: expected sha256:<64 hex digits> or sha512:<128 hex digits>", name)
	}
	return filepath.Join("blobs", d.Algorithm().String(), d.Encoded()), nil
}

// hasDigest reports whether content matches a well-formed digest.
func hasDigest(content []byte, name string) bool {
	d := digest.Digest(name)
	return d.Algorithm().FromBytes(content) == d
}
