package access

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/goldenarch/goldenarch/internal/images/credential"
)

// The keys of Secrets: those of pull secrets (k8s.io/api core/v1, DockerConfigJsonKey,
// DockerConfigKey), and those that CDI reads (doc/image-from-credential.md).
const (
	dockerConfigJSON = ".dockerconfigjson"
	dockerCfg        = ".dockercfg"
	userKey          = "accessKeyId"
	passwordKey      = "secretKey"
)

// pullSecret is the content of a Secret.
type pullSecret struct {
	source string
	kind   string // its type; the API server sets Opaque for ""
	values map[string][]byte
}

// logins reads a pull secret as the kubelet does (k8s.io/kubernetes
// pkg/credentialprovider/secrets/secrets.go): a key counts only in a Secret of the matching
// type.
func (s pullSecret) logins() ([]credential.Credential, error) {
	json, cfg := string(corev1.SecretTypeDockerConfigJson), string(corev1.SecretTypeDockercfg)
	switch {
	case s.kind == json && s.has(dockerConfigJSON):
		return credential.ParseDockerConfig(s.source, s.values[dockerConfigJSON])
	case s.kind == cfg && s.has(dockerCfg):
		return credential.ParseDockerCfg(s.source, s.values[dockerCfg])
	case s.has(dockerConfigJSON):
		return nil, &otherTypeError{source: s.source, key: dockerConfigJSON, kind: s.kind, want: json}
	case s.has(dockerCfg):
		return nil, &otherTypeError{source: s.source, key: dockerCfg, kind: s.kind, want: cfg}
	}
	return nil, fmt.Errorf("%s is not a pull secret: it has neither %s nor %s", s.source, dockerConfigJSON, dockerCfg)
}

func (s pullSecret) has(key string) bool {
	_, ok := s.values[key]
	return ok
}

// otherTypeError is a Secret that has the key of a pull secret, but another type.
type otherTypeError struct{ source, key, kind, want string }

func (e *otherTypeError) Error() string {
	kind := e.kind
	if kind == "" {
		kind = string(corev1.SecretTypeOpaque)
	}
	return fmt.Sprintf("%s has the type %q, but the kubelet reads %s only in a Secret of the type %q: goldenarch does not use it", e.source, kind, e.key, e.want)
}
