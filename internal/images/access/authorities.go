package access

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/certificate"
	"github.com/goldenarch/goldenarch/internal/object"
)

// authorities reads the authorities that the configuration trusts: certificates, or
// ConfigMaps that hold them. They apply to all registries.
func (g *Access) authorities(items Lookup, entries []string) {
	for i, entry := range entries {
		at := finding.Finding{
			ID: finding.AuthorityMissing, Severity: finding.Warning, Field: fmt.Sprintf("spec.registry.certificateAuthorities[%d]", i),
			Do: "add the ConfigMap to the input",
		}
		if v1alpha1.IsPEM(entry) {
			g.authority(certificate.Authority{PEM: []byte(entry), Source: "the text"}, conditional{finding: at})
			continue
		}
		namespace, name := v1alpha1.SplitName(entry)
		g.configMap(items, namespace, name, "", conditional{finding: at})
	}
}

// templateAuthority reads the ConfigMap that a template refers to. It applies only to the
// registry of the template.
func (g *Access) templateAuthority(items Lookup, use templateUse, name string) {
	if name == "" {
		return
	}
	at := use.Locate(finding.List{{
		ID: finding.AuthorityMissing, Severity: finding.Warning, Field: use.field("certConfigMap"),
		Do: "add the ConfigMap to the input",
	}})[0]
	g.configMap(items, use.namespace, name, use.ref.Host(), conditional{finding: at, only: &use.ref})
}

func (g *Access) configMap(items Lookup, namespace, name, host string, d conditional) {
	source := nameOf("ConfigMap", namespace, name)
	o, why := items.find("ConfigMap", namespace, name)
	if o == nil {
		why.describe(&d.finding, source, ": goldenarch queries the registry without it")
		g.conditionals = append(g.conditionals, d)
		return
	}
	text, err := certificatesOf(*o)
	if err != nil {
		d.finding.ID, d.finding.Text, d.finding.Do = finding.AuthorityInvalid, source+" "+err.Error()+": goldenarch queries the registry without it", "correct it"
		g.conditionals = append(g.conditionals, d)
		return
	}
	g.authority(certificate.Authority{Host: host, PEM: text, Source: source}, d)
}

// authority adds the certificates if it can read them, and reports a finding otherwise.
func (g *Access) authority(a certificate.Authority, d conditional) {
	if _, err := certificate.Parse(a.PEM); err != nil {
		d.finding.ID, d.finding.Text, d.finding.Do = finding.AuthorityInvalid, a.Source+": "+err.Error()+". goldenarch does not trust it", "correct the certificate"
		g.conditionals = append(g.conditionals, d)
		return
	}
	g.settings.authorities = append(g.settings.authorities, a)
}

// certificatesOf returns the values of all keys of a ConfigMap.
func certificatesOf(o object.Object) ([]byte, error) {
	tree, err := o.Tree()
	if err != nil {
		return nil, unreadableError("cannot be read: it does not have the structure of a ConfigMap")
	}
	var all bytes.Buffer
	for _, field := range []string{"data", "binaryData"} {
		values, err := stringMap(tree, field)
		if err != nil {
			return nil, err
		}
		for _, key := range slices.Sorted(maps.Keys(values)) {
			value := []byte(values[key])
			if field == "binaryData" {
				if value, err = base64.StdEncoding.DecodeString(strings.Join(strings.Fields(values[key]), "")); err != nil {
					return nil, unreadableError(fmt.Sprintf("cannot be read: binaryData[%q] is not base64", key))
				}
			}
			all.Write(value)
			all.WriteByte('\n')
		}
	}
	return all.Bytes(), nil
}
