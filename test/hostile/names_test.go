//go:build unix

package hostile

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// evil has a line end, a workflow command, escape sequences, a character that turns
// the text around, and markup, in the form of YAML's double quotes.
const evil = `x\n::stop-commands::t\r\e[2J\u202Ey<script>alert(1)</script><img src=q onerror=z>|[c](javascript:d)\0`

// template is a template of which all is evil.
const evilTemplate = `{metadata: {name: "` + evil + `", annotations: {"` + evil + `": "` + evil +
	`", ssp.kubevirt.io/dict.architectures: "` + evil + `"}}, spec: {managedDataSource: "` + evil +
	`", schedule: "` + evil + `", template: {spec: {source: {registry: {url: "docker://` + evil +
	`"}}, storage: {resources: {requests: {storage: "` + evil + `"}}}}}}}`

// nasty are documents of each kind that goldenarch reads, with a name, a key or a
// value that is evil.
var nasty = map[string]string{
	"Metadata": "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata: {name: \"" + evil + "\", namespace: \"" +
		evil + "\"}\nspec: {dataImportCronTemplates: []}\n",
	"Template": "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata: {name: kubevirt-hyperconverged}\nspec: {dataImportCronTemplates: [" +
		evilTemplate + "]}\n",
	"Bare": `apiVersion: hco.kubevirt.io/v1beta1
kind: HyperConverged
metadata: {name: "::stop-commands::t"}
spec: {dataImportCronTemplates: [{metadata: {name: "::stop-commands::t"}}]}
`,
	"ApiVersion": "apiVersion: \"hco.kubevirt.io/" + evil + "\"\nkind: HyperConverged\nmetadata: {name: a}\n",
	"Key":        "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata: {name: a}\nspec: {\"" + evil + "\": 1, \"" + evil + "\": 2}\n",
	"Config":     "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: \"" + evil + "\"}\nspec: {\"" + evil + "\": 1}\n",
	"ConfigOptions": "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g}\nspec: {release: \"" + evil +
		"\", inputs: [\"" + evil + "\"], images: {\"" + evil + "\": [\"" + evil + "\"]}, allow: [\"" + evil +
		"\"], cluster: {workloadArchitectures: [\"" + evil + "\"]}, registry: {insecure: [\"" + evil + "\"], pullSecrets: [\"" + evil +
		"\"], certificateAuthorities: [\"" + evil + "\"], timeout: \"" + evil + "\", mirrors: [{source: \"" + evil +
		"\", mirrors: [\"" + evil + "\"]}]}}\n",
	"ConfigMapOptions": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: g}\ndata: {\"" + evil + "\": \"" + evil +
		"\", gate: \"" + evil + "\", inputs: \"" + evil + "\"}\n",
	"ClusterArchitectures": "apiVersion: goldenarch.dev/v1alpha1\nkind: ClusterArchitectures\nmetadata: {name: \"" + evil +
		"\"}\nspec: {workloadArchitectures: [\"" + evil + "\"], nodeGroups: [{name: \"" + evil + "\", architecture: \"" + evil +
		"\", labels: {\"" + evil + "\": \"" + evil + "\"}}]}\n",
	"Lock": "apiVersion: goldenarch.dev/v1alpha1\nkind: ArchitectureLock\nmetadata: {name: \"" + evil +
		"\"}\nimages: [{reference: \"" + evil + "\", digest: \"" + evil + "\", mediaType: \"" + evil +
		"\", size: 1, platforms: [{os: \"" + evil + "\", architecture: \"" + evil + "\"}]}, {reference: \"quay.io/a/b:1\", digest: \"" +
		evil + "\"}]\n",
	"LockKeys": "apiVersion: goldenarch.dev/v1alpha1\nkind: ArchitectureLock\nmetadata: {name: l}\n\"" + evil + "\": 1\nimages: [{\"" + evil + "\": 1}]\n",
	"ImageStream": "apiVersion: image.openshift.io/v1\nkind: ImageStream\nmetadata: {name: \"" + evil + "\", namespace: \"" + evil +
		"\"}\nspec: {tags: [{name: \"" + evil + "\", from: {kind: \"" + evil + "\", name: \"" + evil +
		"\"}, importPolicy: {importMode: \"" + evil + "\"}}]}\n",
	"FollowedStream": "apiVersion: hco.kubevirt.io/v1beta1\n" +
		"kind: HyperConverged\n" +
		"metadata: {name: a}\n" +
		"spec: {dataImportCronTemplates: [{metadata: {name: a}, spec: {managedDataSource: a, schedule: '', " +
		"template: {spec: {source: {registry: {imageStream: \"" +
		evil + "\", pullMethod: node}}}}}}]}\n" +
		"---\napiVersion: image.openshift.io/v1\nkind: ImageStream\nmetadata: {name: \"" + evil +
		"\"}\nspec: {tags: [{name: latest, from: {kind: DockerImage, name: \"" + evil + "\"}}]}\n",
	"MirrorSets": "apiVersion: config.openshift.io/v1\nkind: ImageDigestMirrorSet\nmetadata: {name: \"" + evil +
		"\"}\nspec: {imageDigestMirrors: [{source: \"" + evil + "\", mirrors: [\"" + evil + "\"], mirrorSourcePolicy: \"" + evil +
		"\"}]}\n" +
		"---\napiVersion: config.openshift.io/v1\nkind: ImageTagMirrorSet\nmetadata: {name: \"" + evil +
		"\"}\nspec: {imageTagMirrors: [{source: \"" + evil + "\", mirrors: [\"" + evil + "\"], \"" + evil + "\": 1}]}\n" +
		"---\napiVersion: operator.openshift.io/v1alpha1\nkind: ImageContentSourcePolicy\nmetadata: {name: \"" + evil +
		"\"}\nspec: {repositoryDigestMirrors: [{source: \"" + evil + "\", mirrors: [\"" + evil + "\"]}], \"" + evil + "\": 1}\n",
	"Secret": "apiVersion: v1\nkind: Secret\nmetadata: {name: \"" + evil + "\"}\ntype: \"" + evil + "\"\nstringData: {\"" + evil + "\": \"" + evil + "\"}\n" +
		"---\napiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g}\nspec: {registry: {pullSecrets: [\"" + evil +
		"\"], certificateAuthorities: [\"" + evil + "\"]}}\n",
	"Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: \"" + evil + "\"}\npipeline: {mutators: [{image: \"" + evil +
		"\", configPath: \"" + evil + "\", configMap: {\"" + evil + "\": \"" + evil + "\"}}]}\n",
	"Nodes": "apiVersion: v1\nkind: Node\nmetadata: {name: \"" + evil + "\", labels: {node-role.kubernetes.io/worker: '', \"" +
		evil + "\": \"" + evil + "\"}}\nstatus: {nodeInfo: {architecture: \"" + evil + "\"}}\n",
	"Pools": "apiVersion: machine.openshift.io/v1beta1\nkind: MachineSet\nmetadata: {name: \"" + evil +
		"\", annotations: {capacity.cluster-autoscaler.kubernetes.io/labels: \"kubernetes.io/arch=" + evil +
		"\"}}\nspec: {template: {metadata: {labels: {machine.openshift.io/cluster-api-machine-role: worker}}}}\n" +
		"---\napiVersion: hypershift.openshift.io/v1beta1\nkind: NodePool\nmetadata: {name: \"" + evil + "\"}\nspec: {arch: \"" + evil +
		"\", platform: {type: \"" + evil + "\"}}\n",
	"LocalConfig": "apiVersion: \"" + evil + "\"\nkind: \"" + evil + "\"\nmetadata: {name: \"" + evil +
		"\", annotations: {config.kubernetes.io/path: \"" + evil + "\", internal.config.kubernetes.io/index: \"" + evil + "\"}}\n",
	"SSP": "apiVersion: ssp.kubevirt.io/v1beta3\nkind: SSP\nmetadata: {name: \"" + evil +
		"\"}\nspec: {commonTemplates: {dataImportCronTemplates: [" + evilTemplate + "]}, cluster: {workloadArchitectures: [\"" + evil +
		"\"]}}\n",
}

// TestNamesAreNoCommands: a name with line ends, escape sequences, characters that
// turn the text around, or markup is quoted in whatever is shown: it commands
// nobody, and the output stays what it says it is.
func TestNamesAreNoCommands(t *testing.T) {
	t.Parallel()
	judges := map[string]func(t *testing.T, text string){
		"text": plain, "markdown": page(`<script|<img|[^\\]\[c`), "html": page(`<script>[^(]|<script |<img`), "sarif": asJSON, "json": asJSON, "junit": asXML, "github": commands,
	}
	for name, text := range nasty {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cr := hco + "---\n" + text
			for output, judge := range judges {
				got := Run(t, []string{"check", "--offline", "-o", output, "-"}, cr, Limits{Once: true})
				plain(t, got.Stderr)
				judge(t, got.Stdout)
			}
			for _, args := range [][]string{
				{"render", "--offline", "-"},
				{"forecast", "-"},
				{"forecast", "-o", "json", "-"},
				{"lock", "--check", "--file", "no.yaml", "-"},
				{"render", "--config", put(t, "c.yaml", text), "-"},
				{"render", "--live", put(t, "l.yaml", text), "--nodes", put(t, "n.yaml", text), "-"},
				{"render", "--config", "no\n::stop-commands::t", "-"},
				{"resolve", "no\n::stop-commands::t", "\x1b[2J\u202e"},
				{"no\n::stop-commands::t"},
			} {
				got := Run(t, args, cr, Limits{Once: true})
				plain(t, got.Stderr)
				if args[0] != "render" { // which prints the manifests
					plain(t, got.Stdout)
				}
			}
			list := Run(t, nil, listOf(cr), Limits{})
			plain(t, list.Stderr)
			results(t, list.Stdout)
		})
	}
}

// plain fails the test if a text has a line that is a command, or that steers a
// terminal.
func plain(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if command := strings.TrimSpace(line); strings.HasPrefix(command, "::") || strings.HasPrefix(command, "##[") || steers.MatchString(line) {
			t.Errorf("a name is a line of its own, or steers the terminal: %q", line)
		}
	}
}

// steers matches the characters that steer a terminal, end lines or turn the
// direction of a text around.
var steers = regexp.MustCompile("[\x00-\x08\x0b-\x1f\x7f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")

// page returns a judge of a page that fails the test for markup of a name.
func page(markup string) func(t *testing.T, text string) {
	of := regexp.MustCompile(markup)
	return func(t *testing.T, text string) {
		t.Helper()
		plain(t, text)
		if found := of.FindString(text); found != "" {
			t.Errorf("markup of a name is markup of the page: %s in\n%.3000s", found, text)
		}
	}
}

func asJSON(t *testing.T, text string) {
	t.Helper()
	plain(t, text)
	if text != "" && !json.Valid([]byte(text)) {
		t.Errorf("not valid JSON:\n%.2000s", text)
	}
}

// junitElements are the elements of a JUnit report.
const junitElements = "testsuites testsuite properties property testcase failure system-out"

func asXML(t *testing.T, text string) {
	t.Helper()
	plain(t, text)
	for decoder := xml.NewDecoder(strings.NewReader(text)); ; {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("not valid XML: %v\n%.2000s", err, text)
		}
		if element, ok := token.(xml.StartElement); ok && !strings.Contains(junitElements, element.Name.Local) {
			t.Errorf("a name is an element: %s", element.Name.Local)
		}
	}
}

// commands fails the test for a command that is none of goldenarch's own.
func commands(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "::error ") || strings.HasPrefix(line, "::warning ") || strings.HasPrefix(line, "::notice ") {
			line = "-" + line
		}
		plain(t, line)
	}
}

// result is a result of the function.
type result struct {
	Message     string
	Field       struct{ Path string }
	File        struct{ Path string }
	ResourceRef struct{ Name, Namespace, Kind, APIVersion string } `yaml:"resourceRef"`
}

// resultsOf returns the results in a ResourceList.
func resultsOf(t *testing.T, text string) []result {
	t.Helper()
	var list struct{ Results []result }
	if err := yaml.Unmarshal([]byte(text), &list); err != nil {
		t.Fatalf("not valid YAML: %v\n%.2000s", err, text)
	}
	return list.Results
}

// results fails the test if a result of the function, which kpt shows as it is,
// has something in it that steers a terminal.
func results(t *testing.T, text string) {
	t.Helper()
	for _, one := range resultsOf(t, text) {
		plain(t, one.Message)
		plain(t, one.Field.Path)
		plain(t, one.File.Path)
		plain(t, one.ResourceRef.Kind+" "+one.ResourceRef.Name+" "+one.ResourceRef.Namespace+" "+one.ResourceRef.APIVersion)
	}
}
