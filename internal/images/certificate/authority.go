package certificate

import (
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
)

// Authority is a set of certificate authorities that the caller passes, in addition to
// those of the system.
type Authority struct {
	// Host is the only registry ("name" or "name:port") that they apply to; "" means all.
	Host string
	// PEM has the certificates.
	PEM []byte
	// Source says where they came from, for messages: "ConfigMap ca".
	Source string
}

// Parse reads the certificates of a PEM text. It skips other blocks, because users keep
// keys and parameters in the same file. The error says that the text has no certificate, or
// which one cannot be read. It repeats nothing of the text.
func Parse(text []byte) ([]*x509.Certificate, error) {
	var list []*x509.Certificate
	for n := 1; ; {
		var block *pem.Block
		if block, text = pem.Decode(text); block == nil {
			break
		}
		if block.Type != "CERTIFICATE" {
			continue
		}
		one, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, fmt.Errorf("certificate %d cannot be read: %w", n, err)
		}
		list = append(list, one)
		n++
	}
	if len(list) == 0 {
		return nil, errors.New("it holds no certificate in PEM")
	}
	return list, nil
}
