package pipeline

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/registry"
)

// authorities takes what the configuration trusts: certificates, or ConfigMaps
// that hold them. They count for all registries.
func (g *gathered) authorities(items lookup, entries []string) {
	for i, entry := range entries {
		at := finding.Finding{
			ID: finding.AuthorityMissing, Severity: finding.Warning, Field: fmt.Sprintf("spec.registry.certificateAuthorities[%d]", i),
			Do: "add the ConfigMap to the input, or write the certificates themselves",
		}
		if v1alpha1.IsPEM(entry) {
			g.authority(registry.Authority{PEM: []byte(entry), Source: "the text"}, doubt{finding: at})
			continue
		}
		namespace, name := v1alpha1.SplitName(entry)
		g.configMap(items, namespace, name, "", doubt{finding: at})
	}
}

// templateAuthority takes the ConfigMap that a template refers to. It counts for
// the registry of the template only.
func (g *gathered) templateAuthority(items lookup, use templateUse, name string) {
	if name == "" {
		return
	}
	at := use.own(finding.List{{
		ID: finding.AuthorityMissing, Severity: finding.Warning, Field: use.field("certConfigMap"),
		Do: "add the ConfigMap to the input, or trust its authority where goldenarch runs (SSL_CERT_FILE)",
	}})[0]
	g.configMap(items, use.namespace, name, use.ref.Host(), doubt{finding: at, only: &use.ref})
}

func (g *gathered) configMap(items lookup, namespace, name, host string, d doubt) {
	source := heldName("ConfigMap", namespace, name)
	o, why := items.find("ConfigMap", namespace, name)
	if o == nil {
		why.tell(&d.finding, source, ": the registry is asked without it")
		g.doubts = append(g.doubts, d)
		return
	}
	text, err := o.certificates()
	if err != nil {
		d.finding.ID, d.finding.Text, d.finding.Do = finding.AuthorityInvalid, source+" "+err.Error()+": the registry is asked without it", "correct it"
		g.doubts = append(g.doubts, d)
		return
	}
	g.authority(registry.Authority{Host: host, PEM: text, Source: source}, d)
}

// authority takes certificates that can be read, and tells of others.
func (g *gathered) authority(a registry.Authority, d doubt) {
	if err := a.Check(); err != nil {
		d.finding.ID, d.finding.Text, d.finding.Do = finding.AuthorityInvalid, a.Source+": "+err.Error()+"; it is not trusted", "correct it"
		g.doubts = append(g.doubts, d)
		return
	}
	g.access.authorities = append(g.access.authorities, a)
}

// certificates returns what stands under all keys of a ConfigMap.
func (o object) certificates() ([]byte, error) {
	tree, err := o.tree()
	if err != nil {
		return nil, unread("cannot be read: it is not as a ConfigMap is")
	}
	var all bytes.Buffer
	for _, field := range []string{"data", "binaryData"} {
		values, err := texts(tree, field)
		if err != nil {
			return nil, err
		}
		for _, key := range slices.Sorted(maps.Keys(values)) {
			value := []byte(values[key])
			if field == "binaryData" {
				if value, err = base64.StdEncoding.DecodeString(strings.Join(strings.Fields(values[key]), "")); err != nil {
					return nil, unread(fmt.Sprintf("cannot be read: binaryData[%q] is not base64", key))
				}
			}
			all.Write(value)
			all.WriteByte('\n')
		}
	}
	return all.Bytes(), nil
}
