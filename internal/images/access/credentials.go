package access

import (
	"errors"
	"fmt"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/credential"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/plan"
	"github.com/goldenarch/goldenarch/internal/subject"
)

// templateUse is a template that refers to a Secret or a ConfigMap for its image.
type templateUse struct {
	subject.Subject
	template  int
	namespace string
	ref       imageref.Reference
}

// namespaceOf returns the namespace of the template's DataImportCron, which is also the
// namespace of the objects that it refers to.
func namespaceOf(s subject.Subject, q plan.Question) string {
	if m := q.Template.Metadata; m != nil && m.Namespace != "" {
		return m.Namespace
	}
	return plan.GoldenNamespace(s.CR, s.Spec)
}

// pullSecrets reads the logins of the Secrets that the configuration names.
func (g *Access) pullSecrets(items Lookup, names []string) {
	for i, text := range names {
		namespace, name := v1alpha1.SplitName(text)
		at := finding.Finding{
			ID: finding.SecretMissing, Severity: finding.Warning, Field: fmt.Sprintf("spec.registry.pullSecrets[%d]", i),
			Do: "add the Secret to the input",
		}
		secret, ok := g.secret(items, namespace, name, conditional{finding: at})
		if !ok {
			continue
		}
		list, err := secret.logins()
		if err != nil {
			at.ID, at.Text, at.Do = finding.SecretUnreadable, err.Error(), "create it again: kubectl create secret docker-registry"
			if _, is := errors.AsType[*otherTypeError](err); is {
				at.Do = "write its type: on the cluster, create the Secret again, because its type is immutable"
			}
			g.conditionals = append(g.conditionals, conditional{finding: at})
			continue
		}
		g.settings.credentials = append(g.settings.credentials, list...)
	}
}

// templateSecret reads the login that a template refers to. It applies only to the
// template's image.
func (g *Access) templateSecret(items Lookup, use templateUse, name string) {
	if name == "" {
		return
	}
	at := use.Locate(finding.List{{
		ID: finding.SecretMissing, Severity: finding.Warning, Field: use.field("secretRef"),
		Do: "add the Secret to the input, or log in where goldenarch runs: podman login " + use.ref.Host(),
	}})[0]
	secret, ok := g.secret(items, use.namespace, name, conditional{finding: at, only: &use.ref})
	if !ok {
		return
	}
	source, values := secret.source, secret.values
	if len(values[userKey]) == 0 || len(values[passwordKey]) == 0 {
		at.ID, at.Text = finding.SecretUnreadable, fmt.Sprintf("%s lacks %s or %s", source, userKey, passwordKey)
		at.Do = "create it in the form that CDI reads: kubectl create secret generic " + name + " --from-literal=accessKeyId=USER --from-literal=secretKey=PASSWORD"
		if secret.has(dockerConfigJSON) || secret.has(dockerCfg) {
			at.Text = fmt.Sprintf("%s is a pull secret, which CDI does not read: CDI needs %s and %s", source, userKey, passwordKey)
		}
		g.conditionals = append(g.conditionals, conditional{finding: at, only: &use.ref})
		return
	}
	g.settings.credentials = append(g.settings.credentials, credential.Credential{
		Match: use.ref.Host() + "/" + use.ref.Repository(), Only: true,
		Username: string(values[userKey]), Password: string(values[passwordKey]), Source: source,
	})
}

// field returns the path of a field of the template's registry source.
func (u templateUse) field(name string) string {
	return u.CR.TemplatePath(u.template) + ".spec.template.spec.source.registry." + name
}

// secret finds and reads a Secret. It reports a missing Secret, by name only, as the
// finding d.
func (g *Access) secret(items Lookup, namespace, name string, d conditional) (read pullSecret, ok bool) {
	source := nameOf("Secret", namespace, name)
	o, why := items.find("Secret", namespace, name)
	if o == nil {
		if by, is := items.makerOf(namespace, name); is {
			d.finding.ID, why.text = finding.SecretUnreadable, fmt.Sprintf("is created by %s on the cluster, so goldenarch cannot read it here", by)
		}
		why.describe(&d.finding, source, ": goldenarch queries the registry without it")
		g.conditionals = append(g.conditionals, d)
		return pullSecret{}, false
	}
	values, err := secretValues(*o)
	if err != nil {
		d.finding.ID, d.finding.Text = finding.SecretUnreadable, source+" "+err.Error()+": goldenarch queries the registry without it"
		g.conditionals = append(g.conditionals, d)
		return pullSecret{}, false
	}
	return pullSecret{source: source, kind: object.TextAt(o.Node, "type"), values: values}, true
}

func nameOf(kind, namespace, name string) string {
	if namespace != "" {
		name = namespace + "/" + name
	}
	return fmt.Sprintf("%s %q", kind, name)
}
