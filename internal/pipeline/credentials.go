package pipeline

import (
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/plan"
)

// The keys of Secrets: those of pull secrets (k8s.io/api core/v1,
// DockerConfigJsonKey, DockerConfigKey), and of CDI's (doc/image-from-registry.md).
const (
	dockerConfigJSON = ".dockerconfigjson"
	dockerCfg        = ".dockercfg"
	userKey          = "accessKeyId"
	passwordKey      = "secretKey"
)

// templateUse is a template that refers to a Secret or a ConfigMap for its image.
type templateUse struct {
	subject
	template  int
	namespace string
	ref       registry.Reference
}

// namespaceOf returns where the template's DataImportCron is, and so what it
// refers to.
func namespaceOf(s subject, q plan.Question) string {
	if m := q.Template.Metadata; m != nil && m.Namespace != "" {
		return m.Namespace
	}
	return plan.GoldenNamespace(s.CR, s.Spec)
}

// pullSecrets takes the logins of the Secrets that the configuration names.
func (g *gathered) pullSecrets(items lookup, names []string) {
	for i, text := range names {
		namespace, name := v1alpha1.SplitName(text)
		at := finding.Finding{
			ID: finding.SecretMissing, Severity: finding.Warning, Field: fmt.Sprintf("spec.registry.pullSecrets[%d]", i),
			Do: "add the Secret to the input, or log in where goldenarch runs",
		}
		secret, ok := g.secret(items, namespace, name, doubt{finding: at})
		if !ok {
			continue
		}
		list, err := secret.logins()
		if err != nil {
			at.ID, at.Text, at.Do = finding.SecretUnreadable, err.Error(), "make it anew: kubectl create secret docker-registry"
			if _, is := errors.AsType[*otherTypeError](err); is {
				at.Do = "write its type; on the cluster a Secret has to be made anew for that"
			}
			g.doubts = append(g.doubts, doubt{finding: at})
			continue
		}
		g.access.credentials = append(g.access.credentials, list...)
	}
}

// readSecret is what stands in a Secret.
type readSecret struct {
	source string
	kind   string // its type; "" is Opaque, as for the API server
	values map[string][]byte
}

// logins reads a pull secret as the kubelet does (k8s.io/kubernetes
// pkg/credentialprovider/secrets/secrets.go): the key counts only in a Secret
// of the type that belongs to it.
func (s readSecret) logins() ([]registry.Credential, error) {
	json, cfg := string(corev1.SecretTypeDockerConfigJson), string(corev1.SecretTypeDockercfg)
	switch {
	case s.kind == json && s.has(dockerConfigJSON):
		return registry.ParseDockerConfig(s.source, s.values[dockerConfigJSON])
	case s.kind == cfg && s.has(dockerCfg):
		return registry.ParseDockerCfg(s.source, s.values[dockerCfg])
	case s.has(dockerConfigJSON):
		return nil, &otherTypeError{source: s.source, key: dockerConfigJSON, kind: s.kind, want: json}
	case s.has(dockerCfg):
		return nil, &otherTypeError{source: s.source, key: dockerCfg, kind: s.kind, want: cfg}
	}
	return nil, fmt.Errorf("%s is no pull secret: it has neither %s nor %s", s.source, dockerConfigJSON, dockerCfg)
}

func (s readSecret) has(key string) bool {
	_, ok := s.values[key]
	return ok
}

// otherTypeError is a Secret with the key of a pull secret, and not the type.
type otherTypeError struct{ source, key, kind, want string }

func (e *otherTypeError) Error() string {
	kind := e.kind
	if kind == "" {
		kind = string(corev1.SecretTypeOpaque)
	}
	return fmt.Sprintf("%s is of the type %q, and the kubelet reads %s only in one of %q: it is not used", e.source, kind, e.key, e.want)
}

// templateSecret takes the login that a template refers to, for its image only.
func (g *gathered) templateSecret(items lookup, use templateUse, name string) {
	if name == "" {
		return
	}
	at := use.own(finding.List{{
		ID: finding.SecretMissing, Severity: finding.Warning, Field: use.field("secretRef"),
		Do: "add the Secret to the input, or log in where goldenarch runs: podman login " + use.ref.Host(),
	}})[0]
	secret, ok := g.secret(items, use.namespace, name, doubt{finding: at, only: &use.ref})
	if !ok {
		return
	}
	source, values := secret.source, secret.values
	if len(values[userKey]) == 0 || len(values[passwordKey]) == 0 {
		at.ID, at.Text = finding.SecretUnreadable, fmt.Sprintf("%s lacks %s or %s", source, userKey, passwordKey)
		at.Do = "make it as CDI wants it: kubectl create secret generic " + name + " --from-literal=accessKeyId=USER --from-literal=secretKey=PASSWORD"
		if secret.has(dockerConfigJSON) || secret.has(dockerCfg) {
			at.Text = fmt.Sprintf("%s is a pull secret, which CDI does not read: it wants %s and %s", source, userKey, passwordKey)
		}
		g.doubts = append(g.doubts, doubt{finding: at, only: &use.ref})
		return
	}
	g.access.credentials = append(g.access.credentials, registry.Credential{
		Match: use.ref.Host() + "/" + use.ref.Repository(), Only: true,
		Username: string(values[userKey]), Password: string(values[passwordKey]), Source: source,
	})
}

// field is the path of a field of the template's registry source.
func (u templateUse) field(name string) string {
	return u.CR.TemplatePath(u.template) + ".spec.template.spec.source.registry." + name
}

// secret finds and reads a Secret. What is missing is told by name only, as d.
func (g *gathered) secret(items lookup, namespace, name string, d doubt) (read readSecret, ok bool) {
	source := heldName("Secret", namespace, name)
	o, why := items.find("Secret", namespace, name)
	if o == nil {
		if by, is := items.maker(namespace, name); is {
			d.finding.ID, why.text = finding.SecretUnreadable, fmt.Sprintf("is made by %s on the cluster, and cannot be read here", by)
		}
		why.tell(&d.finding, source, ": the registry is asked without it")
		g.doubts = append(g.doubts, d)
		return readSecret{}, false
	}
	values, err := o.secret()
	if err != nil {
		d.finding.ID, d.finding.Text = finding.SecretUnreadable, source+" "+err.Error()+": the registry is asked without it"
		g.doubts = append(g.doubts, d)
		return readSecret{}, false
	}
	return readSecret{source: source, kind: textAt(o.node, "type"), values: values}, true
}

func heldName(kind, namespace, name string) string {
	if namespace != "" {
		name = namespace + "/" + name
	}
	return fmt.Sprintf("%s %q", kind, name)
}
