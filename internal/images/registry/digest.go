package registry

import (
	"fmt"

	"github.com/opencontainers/go-digest"
)

// digestOf returns the sha256 digest of content.
func digestOf(content []byte) string { return digest.FromBytes(content).String() }

// verify compares content with the digest that the request named. The digest is well
// formed.
func verify(content []byte, want string) error {
	if got := digest.Digest(want).Algorithm().FromBytes(content); got.String() != want {
		return &contentError{kind: ErrDiffers, text: fmt.Sprintf("sent content with the digest %s instead of %s", got, want)}
	}
	return nil
}
