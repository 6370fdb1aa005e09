package certificate

import (
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
)

// Authority is certificate authorities that were handed over.
type Authority struct {
	// Host is the only registry ("name" or "name:port") they count for; "" is
	// all.
	Host string
	// PEM are the certificates.
	PEM []byte
}

// Parse reads the certificates of a PEM text. Other blocks are passed over:
// people keep keys and parameters beside them. The error, which repeats nothing
// of the text, says that there is none, or which cannot be read.
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
