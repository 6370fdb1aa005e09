package registry

import (
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"fmt"
	"strings"
)

// digestOf returns the sha256 digest of content.
func digestOf(content []byte) string {
	sum := sha256.Sum256(content)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// verify compares content with the digest it was asked for by.
func verify(content []byte, want string) error {
	got := digestOf(content)
	if strings.HasPrefix(want, "sha512:") {
		sum := sha512.Sum512(content)
		got = "sha512:" + hex.EncodeToString(sum[:])
	}
	if got != want {
		return &contentError{kind: ErrDiffers, text: fmt.Sprintf("sent content with the digest %s where %s was asked for", got, want)}
	}
	return nil
}
