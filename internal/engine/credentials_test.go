package engine_test

import (
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/images/credential"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// The logins that the registries of these tests take: of a pull secret, of a
// template's Secret, and of the user's auth file.
var logins = registrytest.Users{"puller": "pull-pw", "template": "tmpl-pw", "filed": "file-pw"}

// situation is a CR with one template of a private image, and what is beside it.
type situation struct {
	source string // more of the template's registry source
	spec   string // more of the CR's spec
	items  string // more items
	config string // spec.registry
}

func (s situation) input(host string) string {
	cr := `apiVersion: hco.kubevirt.io/v1beta1
kind: HyperConverged
metadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged}
spec:
  ` + s.spec + `
  dataImportCronTemplates:
  - metadata: {name: app}
    spec:
      managedDataSource: app
      schedule: "0 0 * * *"
      template: {spec: {storage: {resources: {requests: {storage: 1Gi}}}, source: {registry: {url: "docker://HOST/org/app:1"` + s.source + `}}}}
---
`
	return strings.NewReplacer("HOST", host, "AUTHORITY", indentedCA()).Replace(cr + s.items)
}

func (s situation) configuration(host string) string {
	return strings.NewReplacer("HOST", host, "AUTHORITY", indentedCA()).Replace(`apiVersion: goldenarch.dev/v1alpha1
kind: GoldenImages
metadata: {name: c}
spec:
  cluster: {workloadArchitectures: [amd64], controlPlaneArchitectures: [amd64]}
  registry: {retries: 0` + s.config + `}
`)
}

// indentedCA is the authority of the test registries in a quoted text.
func indentedCA() string {
	ca := registrytest.CertificateAuthority()
	return strings.ReplaceAll(string(ca), "\n", `\n`)
}

// dockerConfig is a pull secret's content for HOST or what stands in its place.
func dockerConfig(key string) string {
	return `{"auths":{"` + key + `":{"auth":"` + base64.StdEncoding.EncodeToString([]byte("puller:pull-pw")) + `"}}}`
}

const cdiSecret = `apiVersion: v1
kind: Secret
metadata: {name: app-login, namespace: kubevirt-os-images}
stringData: {accessKeyId: template, secretKey: tmpl-pw}
---
`

func pullSecret(metadata, key string) string {
	return "apiVersion: v1\nkind: Secret\nmetadata: {" + metadata +
		"}\ntype: kubernetes.io/dockerconfigjson\nstringData: {.dockerconfigjson: '" + dockerConfig(key) + "'}\n---\n"
}

const (
	ofApp       = `GA211 HyperConverged/kubevirt-hyperconverged spec.dataImportCronTemplates[0].spec.template.spec.source.registry.`
	secretOfApp = ofApp + `secretRef: template "app": Secret "kubevirt-os-images/app-login" `
	caOfApp     = ofApp + `certConfigMap: template "app": ConfigMap "kubevirt-os-images/app-ca"`
)

func TestCredentialsOfItems(t *testing.T) {
	t.Parallel()
	const pull, ref = `, pullSecrets: [pull]`, `, secretRef: app-login`
	encoded := func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }
	cases := map[string]struct {
		reason string
		situation
		user  string   // who came in; "" is nobody
		tells []string // findings but those of the image, without their severity
	}{
		"PullSecret": {"A pull secret of the items is used.", situation{config: pull, items: pullSecret("name: pull", "HOST")}, "puller", nil},
		"PullSecretData": {
			"In base64 as well.",
			situation{
				config: pull,
				items:  "apiVersion: v1\nkind: Secret\nmetadata: {name: pull}\ntype: kubernetes.io/dockerconfigjson\ndata: {.dockerconfigjson: B64}\n---\n",
			},
			"puller",
			nil,
		},
		"PullSecretCfg": {
			"The older type too.",
			situation{
				config: pull,
				items: `apiVersion: v1
kind: Secret
metadata: {name: pull}
type: kubernetes.io/dockercfg
stringData: {.dockercfg: '{"HOST":{"username":"puller","password":"pull-pw"}}'}
---
`,
			},
			"puller",
			nil,
		},
		"PullSecretPath": {"Its key may have a path.", situation{config: pull, items: pullSecret("name: pull", "HOST/org")}, "puller", nil},
		"PullSecretGlob": {"Or a glob.", situation{config: pull, items: pullSecret("name: pull", "127.*.0.1:PORT")}, "puller", nil},
		"PullSecretInList": {
			"It may stand in a List.",
			situation{
				config: pull,
				items: "apiVersion: v1\n" +
					"kind: List\n" +
					"items:\n" +
					"- apiVersion: v1\n" +
					"  kind: Secret\n" +
					"  metadata: {name: pull}\n" +
					"  type: kubernetes.io/dockerconfigjson\n" +
					"  stringData: {.dockerconfigjson: '" +
					dockerConfig("HOST") + "'}\n",
			},
			"puller",
			nil,
		},
		"Namespaced": {
			"A namespace picks one of two.",
			situation{config: `, pullSecrets: [b/pull]`, items: pullSecret("name: pull, namespace: a", "other") + pullSecret("name: pull, namespace: b", "HOST")},
			"puller",
			nil,
		},
		"BeforeTemplate": {
			"It comes before the template's.",
			situation{source: ref, config: pull, items: pullSecret("name: pull", "HOST") + cdiSecret},
			"puller",
			nil,
		},
		"Template": {"The template's Secret comes before the user's file.", situation{source: ref, items: cdiSecret}, "template", nil},
		"TemplateData": {
			"In base64 as well.",
			situation{
				source: ref,
				items: "apiVersion: v1\nkind: Secret\nmetadata: {name: app-login}\ndata: {accessKeyId: " + encoded("template") +
					", secretKey: " + encoded("tmpl-pw") + "}\n---\n",
			},
			"template",
			nil,
		},
		"OtherPull": {
			"A pull secret for another registry leaves the user's file.",
			situation{config: pull, items: pullSecret("name: pull", "other.example.com")},
			"filed",
			nil,
		},

		"Missing": {
			"A Secret that is not there is told by name.",
			situation{config: pull},
			"filed",
			[]string{`GA211 spec.registry.pullSecrets[0]: Secret "pull" is not in the input`},
		},
		"Ambiguous": {
			"One name in two namespaces is nobody's guess.",
			situation{config: pull, items: pullSecret("name: pull, namespace: a", "HOST") + pullSecret("name: pull, namespace: b", "HOST")},
			"filed",
			[]string{`GA211 spec.registry.pullSecrets[0]: Secret "pull" is in the input 2 times`},
		},
		"Elsewhere": {
			"A template's Secret must be where its cron is.",
			situation{source: ref, items: strings.Replace(cdiSecret, "kubevirt-os-images", "other", 1)},
			"filed",
			[]string{secretOfApp + `is in the input in the namespace "other" only`},
		},
		"MissingOfTemplate": {
			"And told where it is missing.",
			situation{source: ref},
			"filed",
			[]string{secretOfApp + `is not in the input`},
		},
		"Sealed": {
			"A SealedSecret is not opened.",
			situation{
				config: pull,
				items:  "apiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\nmetadata: {name: pull}\nspec: {encryptedData: {.dockerconfigjson: pl4nted}}\n---\n",
			},
			"filed",
			[]string{`GA211 spec.registry.pullSecrets[0]: Secret "pull" is created by SealedSecret/pull on the cluster`},
		},
		"SealedName": {
			"It may have another name.",
			situation{
				config: pull,
				items:  "apiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\nmetadata: {name: x}\nspec: {template: {metadata: {name: pull}}}\n---\n",
			},
			"filed",
			[]string{`GA211 spec.registry.pullSecrets[0]: Secret "pull" is created by SealedSecret/x on the cluster`},
		},
		"External": {
			"Nor is an ExternalSecret.",
			situation{
				source: ref,
				items: `apiVersion: external-secrets.io/v1
kind: ExternalSecret
metadata: {name: x, namespace: kubevirt-os-images}
spec: {target: {name: app-login}}
---
`,
			},
			"filed",
			[]string{secretOfApp + `is created by ExternalSecret/x on the cluster`},
		},
		"SOPS": {
			"SOPS is told.",
			situation{config: pull, items: strings.Replace(pullSecret("name: pull", "HOST"), "---", "sops: {mac: pl4nted}\n---", 1)},
			"filed",
			[]string{`GA211 spec.registry.pullSecrets[0]: Secret "pull" is encrypted by SOPS`},
		},
		"Encrypted": {
			"So is one value of it.",
			situation{source: ref, items: strings.Replace(cdiSecret, "tmpl-pw", `"ENC[AES256_GCM,data:pl4nted]"`, 1)},
			"filed",
			[]string{secretOfApp + `is encrypted, or has placeholders`},
		},
		"Placeholder": {
			"And a placeholder.",
			situation{source: ref, items: strings.Replace(cdiSecret, "tmpl-pw", "<registry-password>", 1)},
			"filed",
			[]string{secretOfApp + `is encrypted, or has placeholders`},
		},
		"NotBase64": {
			"Broken data is told by its key.",
			situation{config: pull, items: "apiVersion: v1\nkind: Secret\nmetadata: {name: pull}\ndata: {.dockerconfigjson: 'pl4nted!'}\n---\n"},
			"filed",
			[]string{`GA211 spec.registry.pullSecrets[0]: Secret "pull" cannot be read: data[".dockerconfigjson"] is not base64`},
		},
		"NotJSON": {
			"And by its place.",
			situation{
				config: pull,
				items:  "apiVersion: v1\nkind: Secret\nmetadata: {name: pull}\ntype: kubernetes.io/dockerconfigjson\nstringData: {.dockerconfigjson: pl4nted}\n---\n",
			},
			"filed",
			[]string{`GA211 spec.registry.pullSecrets[0]: Secret "pull" is broken: it is not the JSON expected (at byte 1)`},
		},
		"NotStrings": {
			"Values are strings.",
			situation{config: pull, items: "apiVersion: v1\nkind: Secret\nmetadata: {name: pull}\nstringData: {.dockerconfigjson: {auths: pl4nted}}\n---\n"},
			"filed",
			[]string{`GA211 spec.registry.pullSecrets[0]: Secret "pull" cannot be read: stringData is not a map of strings`},
		},
		"Opaque": {
			"The kubelet reads the key in a Secret of its type only.",
			situation{config: pull, items: strings.Replace(pullSecret("name: pull", "HOST"), "kubernetes.io/dockerconfigjson", "Opaque", 1)},
			"filed",
			[]string{
				`GA211 spec.registry.pullSecrets[0]: Secret "pull" has the type "Opaque", ` +
					`but the kubelet reads .dockerconfigjson only in a Secret of the type "kubernetes.io/dockerconfigjson": goldenarch does not use it`,
			},
		},
		"NoType": {
			"Without a type it is Opaque, as for the API server.",
			situation{config: pull, items: strings.Replace(pullSecret("name: pull", "HOST"), "type: kubernetes.io/dockerconfigjson\n", "", 1)},
			"filed",
			[]string{`GA211 spec.registry.pullSecrets[0]: Secret "pull" has the type "Opaque"`},
		},
		"CfgOfOtherType": {
			"The same for the older key.",
			situation{
				config: pull,
				items: `apiVersion: v1
kind: Secret
metadata: {name: pull}
type: kubernetes.io/dockerconfigjson
stringData: {.dockercfg: '{"HOST":{"username":"puller","password":"pull-pw"}}'}
---
`,
			},
			"filed",
			[]string{
				`GA211 spec.registry.pullSecrets[0]: Secret "pull" has the type "kubernetes.io/dockerconfigjson", ` +
					`but the kubelet reads .dockercfg only in a Secret of the type "kubernetes.io/dockercfg"`,
			},
		},
		"NoPullSecret": {
			"Other Secrets are none.",
			situation{config: `, pullSecrets: [app-login]`, items: cdiSecret},
			"filed",
			[]string{`GA211 spec.registry.pullSecrets[0]: Secret "app-login" is not a pull secret`},
		},
		"PullForTemplate": {
			"CDI reads no pull secret, and so neither do we.",
			situation{source: ref, items: pullSecret("name: app-login, namespace: kubevirt-os-images", "HOST")},
			"filed",
			[]string{secretOfApp + `is a pull secret, which CDI does not read`},
		},
		"HalfForTemplate": {
			"It wants both keys.",
			situation{source: ref, items: strings.Replace(cdiSecret, "secretKey", "password", 1)},
			"filed",
			[]string{secretOfApp + `lacks accessKeyId or secretKey`},
		},
	}
	for name, tc := range cases {
		for _, scheme := range []string{"Basic", "Bearer"} {
			t.Run(name+scheme, func(t *testing.T) {
				t.Parallel()
				auth := registrytest.Basic(logins)
				if scheme == "Bearer" {
					auth = (&registrytest.Tokens{Service: "r", Users: logins}).Require()
				}
				s := registryOf(t, registrytest.Options{Wrappers: []registrytest.Wrapper{auth}})
				_, port, _ := strings.Cut(s.Host(), ":")
				fill := strings.NewReplacer("PORT", port, "B64", encoded(dockerConfig(s.Host())))
				input := fill.Replace(tc.input(s.Host()))
				found := runWith(t, input, tc.configuration(s.Host()), clientOf(t, true, credential.Credential{
					Match: s.Host(), Username: "filed", Password: logins["filed"], Source: "the user's file", Only: true,
				}))
				if diff := cmp.Diff([]string{tc.user + ":" + logins[tc.user]}, basics(s)); diff != "" {
					t.Errorf("%s\nlogins that came in (-want +got):\n%s", tc.reason, diff)
				}
				compareFindings(t, tc.reason, tc.tells, found)
				if found.Failed() {
					t.Errorf("%s\nthe image can be had: %s", tc.reason, found)
				}
			})
		}
	}
}

// TestDuplicateIsNotToBeAdded: what to do about a Secret that is duplicated is not to
// add it.
func TestDuplicateIsNotToBeAdded(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ reason, first, second, want string }{
		"Namespaces": {"A namespace tells them apart.", "name: pull, namespace: a", "name: pull, namespace: b", "Name the one you mean with its namespace (a/pull)"},
		"Alike":      {"Nothing tells them apart.", "name: pull", "name: pull", "Keep only one of them in the input"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := registryOf(t, registrytest.Options{})
			here := situation{config: `, pullSecrets: [pull]`, items: pullSecret(tc.first, "HOST") + pullSecret(tc.second, "HOST")}
			found := runWith(t, here.input(s.Host()), here.configuration(s.Host()), clientOf(t, true))
			if text := found.String(); !strings.Contains(text, tc.want) || strings.Contains(text, "Add the Secret") {
				t.Errorf("%s\nwant %q and nothing of adding it, got\n%s", tc.reason, tc.want, text)
			}
		})
	}
}

// A Secret of a template is a doubt where its image cannot be had, and of no
// weight where it can.
func TestMissingSecretIsAWarningWhereTheImageIsDenied(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]bool{"Public": true, "Private": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var wrappers []registrytest.Wrapper
			if !open {
				wrappers = append(wrappers, registrytest.Basic(logins))
			}
			s := registryOf(t, registrytest.Options{Wrappers: wrappers})
			here := situation{source: ", secretRef: app-login"}
			found := runWith(t, here.input(s.Host()), here.configuration(s.Host()), clientOf(t, true))
			want := "info GA211"
			if !open {
				want = "warning GA211"
			}
			if !strings.Contains(found.String(), want) || found.Failed() == open {
				t.Errorf("want %q and failed: %v, got\n%s", want, !open, found)
			}
		})
	}
}

func TestAuthoritiesOfItems(t *testing.T) {
	t.Parallel()
	const ref, host = ", certConfigMap: app-ca", "kubevirt-os-images"
	configMap := func(name, namespace, data string) string {
		return fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s, namespace: %s}\ndata: {%s}\n---\n", name, namespace, data)
	}
	cases := map[string]struct {
		reason string
		situation
		tells   []string
		trusted bool
	}{
		"None":     {"A private authority is not trusted by itself.", situation{}, nil, false},
		"Template": {"The template's ConfigMap is.", situation{source: ref, items: configMap("app-ca", host, `ca.pem: "AUTHORITY"`)}, nil, true},
		"AllKeys":  {"Under whatever key.", situation{source: ref, items: configMap("app-ca", host, `note: hello, b.crt: "AUTHORITY"`)}, nil, true},
		"Config": {
			"That of the configuration is.",
			situation{config: ", certificateAuthorities: [x/ca]", items: configMap("ca", "x", `ca.pem: "AUTHORITY"`)},
			nil,
			true,
		},
		"Inline":       {"Or the certificates themselves.", situation{config: `, certificateAuthorities: ["AUTHORITY"]`}, nil, true},
		"Insecure":     {"An insecure registry of the CR is asked as it is.", situation{spec: `storageImport: {insecureRegistries: ["HOST"]}`}, nil, true},
		"InsecureHost": {"But only with its port, as CDI has it.", situation{spec: `storageImport: {insecureRegistries: ["127.0.0.1"]}`}, nil, false},
		"Missing": {
			"A ConfigMap that is not there is told.",
			situation{source: ref},
			[]string{caOfApp + ` is not in the input`},
			false,
		},
		"MissingOne": {
			"Also that of the configuration.",
			situation{config: ", certificateAuthorities: [ca]"},
			[]string{`GA211 spec.registry.certificateAuthorities[0]: ConfigMap "ca" is not in the input`},
			false,
		},
		"Empty": {
			"So is one without certificates.",
			situation{source: ref, items: configMap("app-ca", host, `ca.pem: hello`)},
			[]string{caOfApp + `: it holds no certificate in PEM`},
			false,
		},
		"Broken": {
			"And one that is broken.",
			situation{config: `, certificateAuthorities: ["-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"]`},
			[]string{`GA211 spec.registry.certificateAuthorities[0]: the text: certificate 1 cannot be read`},
			false,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := registryOf(t, registrytest.Options{})
			found := runWith(t, tc.input(s.Host()), tc.configuration(s.Host()), clientOf(t, false))
			compareFindings(t, tc.reason, tc.tells, found)
			if found.Failed() == tc.trusted {
				t.Errorf("%s\nwant trusted: %v, got\n%s", tc.reason, tc.trusted, found)
			}
		})
	}
}

// The authority of one template says nothing about the registry of another.
func TestAuthorityOfATemplateIsForItsHost(t *testing.T) {
	t.Parallel()
	s, other := registryOf(t, registrytest.Options{}), registryOf(t, registrytest.Options{})
	here := situation{
		source: `, certConfigMap: app-ca}}}}
  - metadata: {name: other}
    spec:
      managedDataSource: other
      schedule: "0 0 * * *"
      template: {spec: {storage: {resources: {requests: {storage: 1Gi}}}, source: {registry: {url: "docker://` + other.Host() + `/org/app:1"`,
		items: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: app-ca}\ndata: {ca: \"AUTHORITY\"}\n---\n",
	}
	found := runWith(t, here.input(s.Host()), here.configuration(s.Host()), clientOf(t, false))
	if text := found.String(); strings.Contains(text, s.Host()+"/org/app") || !strings.Contains(text, other.Host()+"/org/app") {
		t.Errorf("want an error of the other registry only, got\n%s", text)
	}
}

// v1 keeps the CR's insecure registries elsewhere than v1beta1.
func TestInsecureRegistriesOfV1(t *testing.T) {
	t.Parallel()
	s := registryOf(t, registrytest.Options{})
	cr := `apiVersion: hco.kubevirt.io/v1
kind: HyperConverged
metadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged}
spec:
  storage: {storageImport: {insecureRegistries: ["HOST"]}}
  workloadSources:
    dataImportCronTemplates:
    - metadata: {name: app}
      spec:
        managedDataSource: app
        schedule: "0 0 * * *"
        template: {spec: {storage: {resources: {requests: {storage: 1Gi}}}, source: {registry: {url: "docker://HOST/org/app:1"}}}}
`
	config := strings.Replace(situation{}.configuration(s.Host()), "spec:", "spec:\n  release: \"1.19\"", 1)
	if found := runWith(t, strings.ReplaceAll(cr, "HOST", s.Host()), config, clientOf(t, false)); found.Failed() {
		t.Error(found)
	}
}

// Few pulls that are left are one finding a registry, with the least that was
// said.
func TestRateLimitIsReported(t *testing.T) {
	t.Parallel()
	s := registryOf(t, registrytest.Options{Wrappers: []registrytest.Wrapper{func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			rw.Header().Set("Ratelimit-Limit", "100;w=21600")
			rw.Header().Set("Ratelimit-Remaining", "7;w=21600")
			next.ServeHTTP(rw, r)
		})
	}}})
	found := runWith(t, situation{}.input(s.Host()), situation{}.configuration(s.Host()), clientOf(t, true))
	if n := strings.Count(found.String(), "warning GA215: registry "+s.Host()+" has 7 of 100 pulls left in 6h. Log in"); n != 1 {
		t.Errorf("want one warning, got %d in\n%s", n, found)
	}
}

// TestWhatCDILacks: pods of CDI have no login but that of the template, and no other insecure registries than those of the CR.
func TestWhatCDILacks(t *testing.T) {
	t.Parallel()
	private := registrytest.Options{Wrappers: []registrytest.Wrapper{registrytest.Basic(logins)}}
	const login, plain = "Pods of CDI log in with secretRef alone", "answers over plain HTTP, and the CR does not list it as insecure"
	for _, tc := range []struct {
		reason   string
		registry registrytest.Options
		of       situation
		want     string
	}{
		{"the login of the machine", private, situation{}, login},
		{"that of a pull secret", private, situation{config: ", pullSecrets: [pull]", items: pullSecret("name: pull", "HOST")}, login},
		{"the template has one", private, situation{source: ", secretRef: app-login", items: cdiSecret}, ""},
		{"the Secret of the template is not in Git", private, situation{source: ", secretRef: other"}, ""},
		{"nodes pull the image", private, situation{source: ", pullMethod: node"}, ""},
		{"the registry is public", registrytest.Options{}, situation{}, ""},
		{"only the configuration calls it insecure", registrytest.Options{PlainHTTP: true}, situation{config: ", insecure: ['HOST']"}, plain},
		{"the CR does, too", registrytest.Options{PlainHTTP: true}, situation{spec: "storageImport: {insecureRegistries: ['HOST']}"}, ""},
	} {
		s := registryOf(t, tc.registry)
		found := runWith(t, strings.ReplaceAll(tc.of.input(s.Host()), "HOST", s.Host()), tc.of.configuration(s.Host()), clientOf(t, true, credential.Credential{
			Match: s.Host(), Username: "filed", Password: logins["filed"], Source: "the user's file", Only: true,
		}))
		text := found.String()
		if got := strings.Contains(text, login) || strings.Contains(text, plain); got != (tc.want != "") || !strings.Contains(text, tc.want) || found.Failed() {
			t.Errorf("%s: want %q, got %s", tc.reason, tc.want, text)
		}
	}
}

func registryOf(t *testing.T, o registrytest.Options) *registrytest.Server {
	t.Helper()
	s, err := registrytest.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	s.Push("org/app:1", registrytest.Index("linux/amd64", "linux/arm64"))
	return s
}

// clientOf is a client that trusts the test registries or nobody, and has logins
// behind those of the items.
func clientOf(t *testing.T, trusting bool, behind ...credential.Credential) func(registry.Options) (registry.Resolver, error) {
	t.Helper()
	pool := x509.NewCertPool()
	if trusting {
		pool = registrytest.RootCAs()
	}
	for i := range behind {
		behind[i].Match += "/org/app"
	}
	return func(a registry.Options) (registry.Resolver, error) {
		behind := behind
		if a.NoLogins {
			behind = nil // they stand for the logins of the machine
		}
		client := registry.New(registry.Options{
			RootCAs: pool, Env: func(string) string { return "" }, RequestTimeout: 10 * time.Second, Retries: -1,
			Insecure: a.Insecure, Credentials: slices.Concat(a.Credentials, behind), Authorities: a.Authorities, Note: a.Note,
		})
		t.Cleanup(client.Close)
		return client, nil
	}
}
