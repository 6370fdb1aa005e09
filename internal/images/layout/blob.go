package layout

import (
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"
)

// blobName returns where the content of a digest is, below the layout. A digest
// comes from files that anybody may have written: one that is none names nothing.
func blobName(digest string) (string, error) {
	algorithm, sum, _ := strings.Cut(digest, ":")
	length, known := map[string]int{"sha256": 64, "sha512": 128}[algorithm]
	if !known || len(sum) != length || strings.Trim(sum, "0123456789abcdef") != "" {
		return "", fmt.Errorf("%q is no digest: expected sha256:<64 hex digits> or sha512:<128 hex digits>", digest)
	}
	return filepath.Join("blobs", algorithm, sum), nil
}

// has reports whether content has a digest, which is well formed.
func has(content []byte, digest string) bool {
	if strings.HasPrefix(digest, "sha512:") {
		sum := sha512.Sum512(content)
		return digest == "sha512:"+hex.EncodeToString(sum[:])
	}
	sum := sha256.Sum256(content)
	return digest == "sha256:"+hex.EncodeToString(sum[:])
}
