package cli

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/kio"

	"github.com/goldenarch/goldenarch/test/filetest"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// planted are secrets, one for each place that one can be in.
var planted = []string{
	"pl4nted-in-a-pull-secret", "pl4nted-in-a-templates-secret", "pl4nted-in-a-sealed-secret", "pl4nted-by-sops",
	"pl4nted-in-an-auth-file", "pl4nted-by-a-helper", "pl4nted-in-a-url", "pl4nted-as-a-token", "pl4nted-as-a-signature",
	"pl4nted-in-a-broken-secret", "pl4nted-in-the-configuration", "pl4nted-private-key", "pl4nted-for-the-proxy",
}

const (
	inPull, inTemplate, inSealed, bySOPS = 0, 1, 2, 3
	inFile, byHelper, inURL, asToken     = 4, 5, 6, 7
	asSignature, inBroken, inConfig      = 8, 9, 10
	asKey, forProxy                      = 11, 12
)

// leaks returns the planted secrets that a text holds, in whatever form.
func leaks(text string) []string {
	var out []string
	for _, secret := range planted {
		forms := []string{secret, url.QueryEscape(secret), fmt.Sprintf("%x", secret)}
		for _, prefix := range []string{"", "robot:", "u:", "us:"} {
			for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding, base64.RawStdEncoding} {
				forms = append(forms, encoding.EncodeToString([]byte(prefix+secret)))
			}
		}
		if slices.ContainsFunc(forms, func(form string) bool { return strings.Contains(text, form) }) {
			out = append(out, secret)
		}
	}
	return out
}

// secretive is a run on an input that is full of secrets.
type secretive struct {
	reason   string
	wrappers func(*registrytest.Tokens) []registrytest.Wrapper // nil: tokens for the right login
	edit     func(input, config string) (string, string)
	closed   bool // nobody listens
	untold   bool // the registry's authority is not trusted
	ok       bool
}

// TestNoSecretIsInAnyOutput plants secrets in every place that one can be, and
// runs every verb that asks registries, with success and with each failure.
// Secrets among the items stay what they are; all else is searched.
func TestNoSecretIsInAnyOutput(t *testing.T) {
	helper := t.TempDir()
	script := "#!/bin/sh\necho '{\"Username\":\"robot\",\"Secret\":\"" + planted[byHelper] + "\"}'\n"
	if err := os.WriteFile(filepath.Join(helper, "docker-credential-planted"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", helper+string(filepath.ListSeparator)+os.Getenv("PATH"))
	t.Setenv("HTTPS_PROXY", "http://robot:"+planted[forProxy]+"@127.0.0.1:1")
	echo := func(status int) registrytest.Wrapper {
		return func(http.Handler) http.Handler {
			return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
				_, password, _ := r.BasicAuth()
				rw.WriteHeader(status)
				fmt.Fprintf(rw, `{"errors":[{"code":"DENIED","message":"https://robot:%s@r/?sig=%s Authorization: %s password=%s"}]}`,
					password, planted[asSignature], r.Header.Get("Authorization"), password)
			})
		}
	}
	signed := func(http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
			rw.Header().Set("Location", "https://robot:"+planted[inURL]+"@127.0.0.1:1/blob?X-Amz-Signature="+planted[asSignature])
			rw.WriteHeader(http.StatusTemporaryRedirect)
		})
	}
	only := func(w ...registrytest.Wrapper) func(*registrytest.Tokens) []registrytest.Wrapper {
		return func(*registrytest.Tokens) []registrytest.Wrapper { return w }
	}
	replace := func(old, with string) func(string, string) (string, string) {
		return func(input, config string) (string, string) {
			if !strings.Contains(input+config, old) {
				t.Fatalf("the input has no %q", old)
			}
			return strings.ReplaceAll(input, old, with), strings.ReplaceAll(config, old, with)
		}
	}
	wants := func(t *registrytest.Tokens) registrytest.Wrapper { return t.Require() }
	for name, run := range map[string]secretive{
		"Success": {reason: "All went well.", ok: true},
		"Basic":   {reason: "With a password.", wrappers: only(registrytest.Basic(registrytest.Users{"robot": planted[inPull]})), ok: true},
		"Template": {
			reason:   "With the template's Secret.",
			wrappers: only(registrytest.Basic(registrytest.Users{"robot": planted[inTemplate]})),
			edit:     replace("[pull, broken, encrypted]", "[broken, encrypted]"),
			ok:       true,
		},
		"File": {
			reason:   "With the auth file.",
			wrappers: only(registrytest.Basic(registrytest.Users{"robot": planted[inFile]})),
			edit: func(i, c string) (string, string) {
				i, c = replace("[pull, broken, encrypted]", "[broken]")(i, c)
				return strings.ReplaceAll(i, ", secretRef: login", ""), c
			},
			ok: true,
		},
		"Refused": {reason: "The password is wrong.", wrappers: only(registrytest.Basic(registrytest.Users{"x": "y"}))},
		"Echo403": {reason: "The registry repeats the password.", wrappers: only(registrytest.First(1, registrytest.Basic(nil)), echo(http.StatusForbidden))},
		"Echo500": {reason: "Or fails with it.", wrappers: only(registrytest.First(1, registrytest.Basic(nil)), echo(http.StatusInternalServerError))},
		"Echo400": {reason: "Or answers what nobody knows.", wrappers: only(registrytest.First(1, registrytest.Basic(nil)), echo(http.StatusBadRequest))},
		"TokenEcho": {reason: "The token service repeats it.", wrappers: func(tk *registrytest.Tokens) []registrytest.Wrapper {
			return []registrytest.Wrapper{registrytest.On(registrytest.Token, echo(http.StatusUnauthorized)), wants(tk)}
		}},
		"TokenNoJSON": {reason: "Or answers with what is no token.", wrappers: func(tk *registrytest.Tokens) []registrytest.Wrapper {
			body := []byte(`{"token":"` + planted[asToken] + "\\n" + `"}`)
			return []registrytest.Wrapper{registrytest.On(registrytest.Token, registrytest.ReplyBody(200, "application/json", body, nil)), wants(tk)}
		}},
		"TokenRefused": {reason: "The token is refused and repeated.", wrappers: func(tk *registrytest.Tokens) []registrytest.Wrapper {
			body := []byte(`{"token":"` + planted[asToken] + `"}`)
			return []registrytest.Wrapper{
				registrytest.On(registrytest.Token, registrytest.ReplyBody(200, "application/json", body, nil)),
				registrytest.On(registrytest.Manifest, registrytest.After(1, echo(http.StatusForbidden))), wants(tk),
			}
		}},
		"Redirect":  {reason: "A redirect has a signature, and leads nowhere.", wrappers: only(registrytest.On(registrytest.Manifest, signed))},
		"Truncated": {reason: "The answer breaks off.", wrappers: only(registrytest.Truncate())},
		"HTML":      {reason: "A web page in its place.", wrappers: only(registrytest.HTMLPage())},
		"Gone":      {reason: "Nobody listens.", closed: true},
		"Untrusted": {reason: "Its authority is not trusted.", untold: true},
		"Proxy":     {reason: "The proxy does not answer.", edit: replace("HOST/org", "registry.example.com/org")},
		"URL":       {reason: "A URL with a password.", edit: replace("docker://HOST", "docker://robot:"+planted[inURL]+"@HOST")},
		"Override": {
			reason: "So in an override.",
			edit:   replace("registry: {retries", "overrides: [{image: 'robot:"+planted[inURL]+"@HOST/org/x:1', architectures: [amd64]}]\n  registry: {retries"),
		},
		"Unknown":   {reason: "A field that does not exist.", edit: replace("registry: {retries", "registry: {password: "+planted[inConfig]+", retries")},
		"WrongType": {reason: "A Secret where its name belongs.", edit: replace("[pull, broken, encrypted]", "[{auth: "+planted[inConfig]+"}]")},
		"WrongList": {reason: "So without the list.", edit: replace("[pull, broken, encrypted]", "{auths: {HOST: {auth: "+planted[inConfig]+"}}}")},
		"Key": {
			reason: "A private key where an authority belongs.",
			edit: replace("Authorities: [",
				`Authorities: ["-----BEGIN PRIVATE KEY-----\n`+base64.StdEncoding.EncodeToString([]byte(planted[asKey]))+`\n-----END PRIVATE KEY-----\n", `),
		},
		"Claim":   {reason: "A failure that has nothing to do with it.", edit: replace("schedule:", "nonsense: 1\n      schedule:"), ok: true},
		"Refusal": {reason: "A CR that HCO refuses.", edit: replace("metadata: {name: app}", "metadata: {}")},
		"YAML":    {reason: "A Secret that is no YAML.", edit: replace("stringData: {accessKeyId", "stringData: {{accessKeyId")},
	} {
		t.Run(name, func(t *testing.T) { run.check(t) })
	}
}

func (s secretive) check(t *testing.T) {
	tokens := &registrytest.Tokens{Service: "r", Users: registrytest.Users{"robot": planted[inPull]}}
	wrappers := []registrytest.Wrapper{tokens.Require()}
	if s.wrappers != nil {
		wrappers = s.wrappers(tokens)
	}
	server, err := registrytest.Start(registrytest.Options{Wrappers: wrappers})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	server.Push("org/app:1", registrytest.Index("linux/amd64"))
	if s.closed {
		server.Close()
	}
	ca := registrytest.CertificateAuthority()
	input, config := secretInput, secretConfig
	if s.edit != nil {
		input, config = s.edit(input, config)
	}
	quoted := `"` + strings.ReplaceAll(string(ca), "\n", `\n`) + `"`
	if s.untold {
		quoted = ""
	}
	fill := strings.NewReplacer("HOST", server.Host(), "AUTHORITY", quoted)
	input, config = fill.Replace(input), fill.Replace(config)

	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		filetest.File(t, name, text)
		return name
	}
	manifests, configFile := write("input.yaml", input), write("config.yaml", config)
	auth := write("auth.json",
		`{"auths":{"`+server.Host()+`":{"username":"robot","password":"`+planted[inFile]+`"}},"credHelpers":{"other.example.com":"planted"}}`)
	helped := write("helped.json", `{"credHelpers":{"`+server.Host()+`":"planted"}}`)
	list := "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nfunctionConfig:\n" + indented("  ", config) + "items:\n"
	for document := range strings.SplitSeq(input, "---\n") {
		if strings.TrimSpace(document) != "" {
			list += "-" + indented("  ", document)[1:]
		}
	}
	for _, args := range [][]string{
		{"--authfile", auth},
		{"render", manifests, "--config", configFile, "--authfile", auth},
		{"render", manifests, "--config", configFile, "--authfile", helped, "--set", "unresolved=Keep"},
		{"render", manifests, "--config", configFile, "--authfile", auth},
		{"check", manifests, "--config", configFile, "--authfile", auth, "-o", "json"},
		{"check", manifests, "--config", configFile, "--authfile", auth, "-o", "html"},
		{"forecast", manifests, "--config", configFile, "-o", "json"},
		{"lock", manifests, "--config", configFile, "--authfile", auth},
		{"resolve", server.Host() + "/org/app:1", "robot:" + planted[inURL] + "@" + server.Host() + "/org/app:1", "--authfile", auth},
	} {
		status, out, errs := runFed(t, list, args...)
		product := withoutSecrets(t, out)
		locked, _ := os.ReadFile(filepath.Join(dir, lockFile)) // it may not be there
		for where, text := range map[string]string{"standard error": errs, "the product": product, "the lock": string(locked)} {
			if found := leaks(text); len(found) > 0 {
				t.Errorf("%s\n%v: %v in %s:\n%s", s.reason, args, found, where, text)
			}
		}
		if args[0] == "render" && len(args) == 6 && (status == statusOK) != s.ok {
			t.Errorf("%s\n%v: want success: %v, got the status %d and\n%s", s.reason, args, s.ok, status, errs)
		}
	}
}

func indented(by, text string) string {
	return by + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n"+by) + "\n"
}

// withoutSecrets leaves the items of a product out that are the user's Secrets,
// and the configuration.
func withoutSecrets(t *testing.T, product string) string {
	t.Helper()
	reader := &kio.ByteReader{Reader: strings.NewReader(product), OmitReaderAnnotations: true}
	items, err := reader.Read()
	if err != nil {
		return product
	}
	var kept strings.Builder
	for _, item := range items {
		switch item.GetKind() {
		case "Secret", "SealedSecret":
		default:
			// The user's own text.
			kept.WriteString(strings.ReplaceAll(item.MustString(), "docker://robot:"+planted[inURL]+"@", "docker://"))
		}
	}
	if reader.Results != nil {
		kept.WriteString(reader.Results.MustString())
	}
	return kept.String()
}

const secretConfig = `apiVersion: goldenarch.dev/v1alpha1
kind: GoldenImages
metadata: {name: c}
spec:
  cluster: {workloadArchitectures: [amd64], controlPlaneArchitectures: [amd64]}
  registry: {retries: 0, requestTimeout: 30s, pullSecrets: [pull, broken, encrypted], certificateAuthorities: [AUTHORITY]}
`

var secretInput = `apiVersion: hco.kubevirt.io/v1beta1
kind: HyperConverged
metadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged}
spec:
  dataImportCronTemplates:
  - metadata: {name: app}
    spec:
      managedDataSource: app
      schedule: "0 0 * * *"
      template: {spec: {storage: {resources: {requests: {storage: 1Gi}}}, source: {registry: {url: "docker://HOST/org/app:1", secretRef: login}}}}
---
apiVersion: v1
kind: Secret
metadata: {name: pull, annotations: {config.kubernetes.io/local-config: "true"}}
type: kubernetes.io/dockerconfigjson
stringData: {.dockerconfigjson: '{"auths":{"HOST":{"username":"robot","password":"` + planted[inPull] + `"}}}'}
---
apiVersion: v1
kind: Secret
metadata: {name: broken}
type: kubernetes.io/dockerconfigjson
data: {.dockerconfigjson: "` + base64.StdEncoding.EncodeToString([]byte(`{"auths":{"HOST":"`+planted[inBroken]+`"}}`)) + `"}
---
apiVersion: v1
kind: Secret
metadata: {name: encrypted}
data: {.dockerconfigjson: "ENC[AES256_GCM,data:` + planted[bySOPS] + `]"}
sops: {mac: "` + planted[bySOPS] + `"}
---
apiVersion: bitnami.com/v1alpha1
kind: SealedSecret
metadata: {name: sealed}
spec: {encryptedData: {.dockerconfigjson: "` + planted[inSealed] + `"}}
---
apiVersion: v1
kind: Secret
metadata: {name: login}
stringData: {accessKeyId: robot, secretKey: "` + planted[inTemplate] + `"}
`
