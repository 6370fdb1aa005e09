package access

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"k8s.io/utils/ptr"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/engine/join"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/certificate"
	"github.com/goldenarch/goldenarch/internal/images/credential"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/plan"
)

// Access has the settings for reaching registries that the items of a run contain. After
// the queries it returns the findings about them.
type Access struct {
	// spec is the spec of the configuration, with the insecure registries of the CRs.
	spec v1alpha1.RegistrySpec
	// credentials are the logins of pull secrets among the items, followed by those of the
	// Secrets that templates refer to, each for its image.
	credentials []credential.Credential
	// authorities are trusted in addition to the system's.
	authorities []certificate.Authority
	// mirrors are those of the mirror sets among the items, and of the configuration.
	mirrors Mirrors
	// byPods are the images that pods of CDI pull, so that no mirror set counts.
	byPods map[imageref.Reference]bool
	// imports are the templates whose images pods of CDI pull.
	imports []templateUse

	conditionals []conditional
	// mirrorFindings are the findings about the mirrors, which do not depend on the
	// queries.
	mirrorFindings finding.List
	// predefined are the images that predefined templates import.
	predefined []imageref.Reference

	mu      sync.Mutex
	queried map[imageref.Reference]error
	// logins has where the login is from without which the registry refuses an image, and plain the images from registries
	// without TLS.
	logins map[imageref.Reference]string
	plain  map[imageref.Reference]bool
	// failed has, for each image, the mirrors that did not answer.
	failed map[imageref.Reference][]registry.MirrorError
	notes  map[string]registry.Note // by registry, with the fewest pulls left
	// ignored has, for each image, the entries of its index that CDI ignores.
	ignored map[imageref.Reference][]string
	// bootc are the images for bootc.
	bootc map[imageref.Reference]bool
	// believed has the mirror whose index goldenarch believed, for each image.
	believed map[imageref.Reference]string
}

// conditional is a finding about something missing that a registry may need. Access reports
// it only if goldenarch queried the registry, and as a warning only if that query failed:
// Secrets are seldom in Git, and images seldom private.
type conditional struct {
	finding finding.Finding
	// only is the image that the finding is about; nil means any image.
	only *imageref.Reference
}

// Collect reads from the items the settings that are needed to query the images of the CRs.
func Collect(items Lookup, m Mirrors, list []join.Joined, spec *v1alpha1.GoldenImagesSpec) *Access {
	g := &Access{
		spec: spec.Registry, mirrors: m, byPods: map[imageref.Reference]bool{},
		logins: map[imageref.Reference]string{}, plain: map[imageref.Reference]bool{},
		queried: map[imageref.Reference]error{}, notes: map[string]registry.Note{},
		failed: map[imageref.Reference][]registry.MirrorError{}, predefined: predefinedImages(list),
		ignored: map[imageref.Reference][]string{}, bootc: map[imageref.Reference]bool{}, believed: map[imageref.Reference]string{},
	}
	authorities := items
	if items.Untrusted {
		authorities = Lookup{Objects: items.Trusted}
	} else {
		g.spec.Insecure = slices.Concat(spec.Registry.Insecure, insecureRegistries(list))
	}
	g.pullSecrets(items, spec.Registry.PullSecrets)
	g.configuredAuthorities(authorities, spec.Registry.CertificateAuthorities)
	for _, s := range list {
		g.mirrorFindings = append(g.mirrorFindings, m.notForCDI(s)...)
		for _, q := range s.Questions {
			source := q.Template.Registry()
			if q.Image == (imageref.Reference{}) || source == nil {
				continue
			}
			use := templateUse{Joined: s, template: q.Template.Index, namespace: namespaceOf(s, q), ref: q.Image, secret: ptr.Deref(source.SecretRef, "")}
			if PulledByCDI(*source) {
				g.PulledByPods(q.Image)
				g.imports = append(g.imports, use)
			}
			g.templateSecret(items, use)
			g.templateAuthority(authorities, use, ptr.Deref(source.CertConfigMap, ""))
		}
	}
	return g
}

// PulledByPods notes that pods of CDI pull an image. Of one that nodes pull, too, it notes the pods: an import that
// fails is worse than a mirror that nobody asked.
func (g *Access) PulledByPods(ref imageref.Reference) {
	if g.mirrors.differFor(ref) {
		g.byPods[ref] = true
	}
}

// Open returns the resolver for the images. The function open makes it from what the caller
// states and what the items contain (default: registry.Open). The resolver records each
// query.
func (g *Access) Open(open func(registry.Options) (registry.Resolver, error), stated registry.Options) (registry.Resolver, error) {
	if open == nil {
		open = registry.Open
	}
	o := RegistryOptions(stated, g.spec)
	o.Credentials, o.Authorities, o.Mirrors, o.Note = g.credentials, g.authorities, g.mirrors.nodes, g.note
	next, err := open(o)
	if err != nil {
		return nil, err
	}
	out := recorder{forNodes: next, forPods: next, access: g}
	o.Mirrors = g.mirrors.pods
	if len(g.byPods) > 0 {
		if out.forPods, err = open(o); err != nil {
			return nil, err
		}
	}
	if len(g.imports) > 0 {
		o.Credentials, o.NoLogins = nil, true
		if out.anonymous, err = open(o); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Hosts returns the hosts that a query of an image may contact: those of the registry, and its mirrors.
func (g *Access) Hosts(ref imageref.Reference) []string {
	var out []string
	for _, place := range g.mirrors.of(g.byPods[ref]).Places(ref.Host()+"/"+ref.Repository(), ref.Pinned()) {
		if !place.Blocked {
			host, _, _ := strings.Cut(place.Name, "/")
			out = append(append(out, host), besides[host]...)
		}
	}
	return out
}

// besides are the hosts to which a registry leads: its token service, and what serves its blobs.
var besides = map[string][]string{
	imageref.DockerHub: {"auth.docker.io", "production.cloudflare.docker.com"}, "quay.io": {"*.quay.io"},
}

// configuredAuthorities reads the authorities that the configuration trusts: certificates, or
// ConfigMaps that hold them. They apply to all registries.
func (g *Access) configuredAuthorities(items Lookup, entries []string) {
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
		why.describe(&d.finding, source)
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
	g.authorities = append(g.authorities, a)
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

// templateUse is a template that refers to a Secret or a ConfigMap for its image.
type templateUse struct {
	join.Joined
	template  int
	namespace string
	ref       imageref.Reference
	secret    string // with the login; "" for none
}

// namespaceOf returns the namespace of the template's DataImportCron, which is also the
// namespace of the objects that it refers to.
func namespaceOf(s join.Joined, q plan.Question) string {
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
		g.credentials = append(g.credentials, list...)
	}
}

// templateSecret reads the login that a template refers to. It applies only to the
// template's image.
func (g *Access) templateSecret(items Lookup, use templateUse) {
	name := use.secret
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
	g.credentials = append(g.credentials, credential.Credential{
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
		why.describe(&d.finding, source)
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

// Findings returns the findings. Call it after the queries.
func (g *Access) Findings() finding.List {
	g.mu.Lock()
	defer g.mu.Unlock()
	var found finding.List
	for _, d := range g.conditionals {
		if d.only == nil && len(g.queried) == 0 {
			continue
		}
		if d.only != nil {
			err, asked := g.queried[*d.only]
			if !asked {
				continue
			}
			if err == nil {
				d.finding.Severity = finding.Info
			}
		}
		found = append(found, d.finding)
	}
	found = append(found, g.mirrorFindings...)
	found = append(found, g.failedMirrors()...)
	found = append(found, g.believedMirrors()...)
	found = append(found, g.ignoredEntries()...)
	found = append(found, g.bootcImages()...)
	found = append(found, g.notForCDI()...)
	return append(found, g.rateLimits()...)
}

// ignoredEntries reports the index entries that look like an architecture, but that CDI
// ignores.
func (g *Access) ignoredEntries() finding.List {
	var found finding.List
	for _, ref := range slices.SortedFunc(maps.Keys(g.ignored), ByText) {
		found = append(found, finding.Finding{
			ID: finding.EntryIgnored, Severity: finding.Warning,
			Text: fmt.Sprintf("image %q: CDI does not use all entries of its index: %s", ref, strings.Join(g.ignored[ref], "; ")),
			Do:   "push the index again, with platforms written as Go does: linux/amd64",
		})
	}
	return found
}

// bootcImages reports the images for bootc, where their configuration was read.
func (g *Access) bootcImages() finding.List {
	var found finding.List
	for _, ref := range slices.SortedFunc(maps.Keys(g.bootc), ByText) {
		found = append(found, finding.Finding{
			ID: finding.BootcImage, Severity: finding.Warning,
			Text: fmt.Sprintf("image %q is one for bootc, a system in layers. It has no disk that a machine can boot, and CDI later than v1.66 refuses it", ref),
			Do:   "build a container disk of it, with bootc-image-builder",
		})
	}
	return found
}

// notForCDI reports the templates whose images goldenarch gets with what pods of CDI do not have: they log in with secretRef
// alone, and use no TLS only for the insecure registries of the CR (cdi pkg/importer/transport.go: buildSourceContext).
func (g *Access) notForCDI() finding.List {
	var found finding.List
	for _, use := range g.imports {
		f := finding.Finding{Severity: finding.Warning, Field: use.field("url"), Current: use.ref.String()}
		host := use.ref.Host()
		if login := g.logins[use.ref]; login != "" && use.secret == "" {
			f.ID, f.Field = finding.LoginNotForCDI, use.field("secretRef")
			f.Text = fmt.Sprintf("registry %s refuses image %q without a login, and goldenarch used the one from %s. Pods of CDI log in with secretRef alone, "+
				"so the import fails", host, use.ref, login)
			f.Do = "name a Secret with accessKeyId and secretKey in secretRef, or set pullMethod: node where the nodes have a login"
			found = append(found, use.Locate(finding.List{f})...)
		}
		if g.plain[use.ref] && !slices.Contains(insecureRegistries([]join.Joined{use.Joined}), host) {
			f.ID, f.Field = finding.PlainNotForCDI, use.field("url")
			f.Text = fmt.Sprintf("registry %s answers over plain HTTP, and the CR does not list it as insecure, so CDI cannot import image %q", host, use.ref)
			f.Do = "add it to insecureRegistries of storageImport in the CR"
			found = append(found, use.Locate(finding.List{f})...)
		}
	}
	return found
}

// rateLimits reports registries that will soon refuse further pulls.
func (g *Access) rateLimits() finding.List {
	var found finding.List
	for _, n := range g.notes {
		found = append(found, finding.Finding{
			ID: finding.RateLimitLow, Severity: finding.Warning, Text: n.String(),
			Do: "log in for a higher limit (podman login " + n.Registry + "), or use a lock",
		})
	}
	slices.SortFunc(found, func(a, b finding.Finding) int { return strings.Compare(a.Text, b.Text) })
	return found
}

// ByText compares two references by their text.
func ByText(a, b imageref.Reference) int {
	return strings.Compare(a.String(), b.String())
}

// failedMirrors reports the mirrors that did not answer although another place had the
// image, once for each registry.
func (g *Access) failedMirrors() finding.List {
	var found finding.List
	hosts := map[string]int{} // host -> its finding
	images := map[string]int{}
	for _, ref := range slices.SortedFunc(maps.Keys(g.failed), ByText) {
		for _, passed := range g.failed[ref] {
			if errors.Is(passed, registry.ErrDiffers) {
				found = append(found, finding.Finding{
					ID: finding.MirrorDiffers, Severity: finding.Warning, Text: fmt.Sprintf("image %q: %v", ref, passed),
					Do: "mirror the image again, with all its platforms and unchanged",
				})
				continue
			}
			host, _, _ := strings.Cut(passed.Mirror, "/")
			if images[host]++; images[host] == 1 {
				hosts[host] = len(found)
				found = append(found, finding.Finding{
					ID: finding.MirrorUnavailable, Severity: finding.Info, Text: fmt.Sprintf("goldenarch found image %q elsewhere: %v", ref, passed),
					Do: "if the cluster reaches only this mirror, push the image there",
				})
			}
		}
	}
	for host, at := range hosts {
		if more := images[host] - 1; more > 0 {
			found[at].Text += fmt.Sprintf(" (and %d more)", more)
		}
	}
	return found
}

// believedMirrors reports the mirrors whose indexes goldenarch believes, once for each
// registry. oc-mirror copies an index unchanged and only some of the manifests that it lists
// (ImageSetConfiguration: mirror.platform.platforms).
func (g *Access) believedMirrors() finding.List {
	var found finding.List
	at := map[string]int{} // host -> its finding
	images := map[string]int{}
	for _, ref := range slices.SortedFunc(maps.Keys(g.believed), ByText) {
		host, _, _ := strings.Cut(g.believed[ref], "/")
		if images[host]++; images[host] == 1 {
			at[host] = len(found)
			found = append(found, finding.Finding{
				ID: finding.MirrorBelieved, Severity: finding.Info,
				Text: fmt.Sprintf("mirror %s answered for image %q, and goldenarch believes the index: a sparse mirror lacks some of the images that it lists", host, ref),
				Do:   "check them with --set verify=children",
			})
		}
	}
	for host, i := range at {
		if more := images[host] - 1; more > 0 {
			found[i].Text = strings.Replace(found[i].Text, ", and goldenarch", fmt.Sprintf(" (and %d more), and goldenarch", more), 1)
		}
	}
	return found
}

// recorder records each query for an image and its result.
type recorder struct {
	forNodes, forPods registry.Resolver
	// anonymous resolves without a login; nil if nobody asks.
	anonymous registry.Resolver

	access *Access
}

// isRefused reports whether a registry refuses an image of a template to pods of CDI, which have no login.
func (w recorder) isRefused(ctx context.Context, ref imageref.Reference, image registry.Image) bool {
	if image.Login == "" || image.Mirror != "" || !slices.ContainsFunc(w.access.imports, func(use templateUse) bool { return use.ref == ref && use.secret == "" }) {
		return false
	}
	_, err := w.anonymous.Resolve(ctx, ref)
	return errors.Is(err, registry.ErrDenied)
}

// Resolve implements registry.Resolver.
func (w recorder) Resolve(ctx context.Context, ref imageref.Reference) (registry.Image, error) {
	next := w.forNodes
	if w.access.byPods[ref] {
		next = w.forPods
	}
	image, err := next.Resolve(ctx, ref)
	refused := err == nil && w.isRefused(ctx, ref, image)
	w.access.mu.Lock()
	defer w.access.mu.Unlock()
	w.access.queried[ref] = err
	if len(image.Passed) > 0 {
		w.access.failed[ref] = image.Passed
	}
	if image.Mirror != "" && !image.Verified && len(image.Platforms) > 1 {
		w.access.believed[ref] = image.Mirror
	}
	if len(image.RejectedEntries) > 0 {
		w.access.ignored[ref] = image.RejectedEntries
	}
	if image.Bootc {
		w.access.bootc[ref] = true
	}
	if refused {
		w.access.logins[ref] = image.Login
	}
	if image.Plain && image.Mirror == "" {
		w.access.plain[ref] = true
	}
	return image, w.access.explain(ref, err)
}

func (g *Access) note(n registry.Note) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if known, ok := g.notes[n.Registry]; !ok || n.Remaining < known.Remaining {
		g.notes[n.Registry] = n
	}
}

// RegistryOptions adds what a configuration says about registries to what the caller
// states.
func RegistryOptions(stated registry.Options, spec v1alpha1.RegistrySpec) registry.Options {
	out := stated
	out.RequestTimeout = spec.OneRequestTimeout()
	if out.Retries = *spec.Retries; out.Retries == 0 {
		out.Retries = -1 // to the client, 0 means the default
	}
	out.Concurrency, out.RequestsPerSecond = spec.Concurrency, spec.RequestsPerSecond
	out.Insecure, out.Verify = spec.Insecure, spec.Verify
	return out
}

// predefinedImages returns the images that the predefined templates of the CRs import.
func predefinedImages(list []join.Joined) []imageref.Reference {
	var out []imageref.Reference
	for _, s := range list {
		for _, p := range s.Table.Templates {
			source := p.Registry()
			if source == nil {
				continue
			}
			if ref, err := s.References.Parse(ptr.Deref(source.URL, "")); err == nil && !slices.Contains(out, ref) {
				out = append(out, ref)
			}
		}
	}
	return out
}

// explain handles the error of a registry that cannot be reached. If the registry looks
// like a mirror of a known image, explain adds why goldenarch does not use another
// registry's answer: the mirror's image may be another build or have fewer platforms.
func (g *Access) explain(ref imageref.Reference, err error) error {
	if !errors.Is(err, registry.ErrUnreachable) {
		return err
	}
	var why []string
	if host, _, _ := strings.Cut(ref.Host(), ":"); strings.HasSuffix(host, ".svc") || strings.HasSuffix(host, ".svc.cluster.local") {
		why = append(why, "the registry is only reachable inside the cluster")
	}
	for _, k := range g.predefined {
		if ref.Host() != k.Host() && strings.HasSuffix("/"+ref.Repository(), "/"+k.Repository()) {
			why = append(why, fmt.Sprintf("this looks like a mirror of %s/%s", k.Host(), k.Repository()))
			break
		}
	}
	if len(why) == 0 {
		return err
	}
	return unreachableError{err, strings.Join(why, ", and ")}
}

// unreachableError is an error with the reason why goldenarch does not guess the platforms
// of the image.
type unreachableError struct {
	error
	why string
}

func (u unreachableError) Error() string {
	return u.error.Error() + "; " + u.why + ". goldenarch does not guess its architectures"
}

func (u unreachableError) Unwrap() error { return u.error }
