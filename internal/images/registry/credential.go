package registry

import (
	"github.com/goldenarch/goldenarch/internal/images/credential"
)

// Credential is a login that the caller passes, such as one of a pull secret.
type Credential = credential.Credential

// ParseDockerConfig reads the credentials of a Secret of type
// kubernetes.io/dockerconfigjson. Source names the Secret. The error says what
// is wrong and repeats nothing of the data.
func ParseDockerConfig(source string, data []byte) ([]Credential, error) {
	return credential.ParseDockerConfig(source, data)
}

// ParseDockerCfg reads the older type kubernetes.io/dockercfg in the same way.
func ParseDockerCfg(source string, data []byte) ([]Credential, error) {
	return credential.ParseDockerCfg(source, data)
}
