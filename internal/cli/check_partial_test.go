package cli

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// twoTemplates is a CR of either version: a template of which something is wrong,
// and then one that is right and declares nothing yet.
func twoTemplates(version, wrong string) string {
	one := oneTemplate(version, "", "")
	line := regexp.MustCompile(`(?m)^( *)- metadata: \{name: app.*(?:\n .*)*`)
	return line.ReplaceAllStringFunc(one, func(good string) string {
		bad := strings.NewReplacer("name: app, annotations: {}", "name: bad, "+wrong, "managedDataSource: app",
			"managedDataSource: bad", "acme/app:1", "acme/bad:1").Replace(good)
		return bad + "\n" + strings.Replace(good, ", annotations: {}", "", 1)
	})
}

// TestOneErrorDoesNotBlankTheTable: the templates without an error keep their
// prediction, and those with one are shown as such, in all formats.
func TestOneErrorDoesNotBlankTheTable(t *testing.T) {
	t.Parallel()
	const enable = `annotations: {dataimportcrontemplate.kubevirt.io/enable: "maybe"}`
	for _, tc := range []struct {
		reason, verb, wrong string
		status              int
	}{
		{"nothing is known of an image: render adds what the other declares", "check", "annotations: {}", 1},
		{"HCO refuses the CR for one template", "check", enable, 1},
		{"the API server refuses the CR for one template, in a check", "check", `labels: 7`, 1},
		{"and a forecast asks for the others all the same", "forecast", enable, 0},
		{"the API server refuses the CR for one template", "forecast", `labels: 7`, 0},
	} {
		for _, version := range []string{"v1beta1", "v1"} {
			formats := map[string][]string{
				"text":     {`(?m)^bad .*error +\?`, `(?m)^app .* deployed +(boots|\?) +(boots|\?)`, "Templates with an error have no prediction"},
				"markdown": {`\| bad .*\| error \| \?`, `\| app .*\| deployed \| (boots|\?)`},
				"html":     {`>bad</th>.*<td class="bad">error</td>`, `>app</th>.*<td class="(good|warn)">(boots|\?)</td>`},
				"junit":    {`template bad`, `outcome: error`, `imported`},
			}
			if tc.verb == "forecast" {
				formats = map[string][]string{
					"text": {`(?m)^bad +(- +){0,2}error +- +-`, `(?m)^app .* deployed +(imported +imported|- +- +imported)`, "Templates with an error have no prediction"},
					"json": {`"partial":`, `"outcome": ?"error"`},
				}
			}
			for format, want := range formats {
				t.Run(fmt.Sprintf("%s/%s/%s", tc.reason, version, format), func(t *testing.T) {
					t.Parallel()
					in := twoTemplates(version, tc.wrong) + "---\n" + lockOf("quay.io/acme/app:1", "amd64", "arm64")
					args := []string{tc.verb, "-", "--release", "1.19", "--workload-architectures", "amd64,arm64", "-o", format}
					if tc.verb == "check" {
						args = append(args, "--offline", "--as", "rendered")
					}
					status, out, errs := runFed(t, in, args...)
					if status != tc.status {
						t.Fatalf("want status %d, got %d\n%s%s", tc.status, status, out, errs)
					}
					for _, pattern := range want {
						if !regexp.MustCompile(pattern).MatchString(out) {
							t.Errorf("want %s:\n%s", pattern, out)
						}
					}
					if format == "json" {
						inOrder(t, []byte(out))
					}
				})
			}
		}
	}
}

// inOrder holds the rows of the CR in a partial forecast against the places that
// they have in its list.
func inOrder(t *testing.T, data []byte) {
	t.Helper()
	var doc struct {
		Partial struct {
			Templates []struct {
				Name    string `json:"name"`
				Outcome string `json:"outcome"`
				Index   int    `json:"index"`
			} `json:"templates"`
		} `json:"partial"`
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	rows := doc.Partial.Templates
	if len(rows) < 2 || rows[0].Name != "bad" || rows[0].Index != 0 || rows[0].Outcome != "error" || rows[1].Name != "app" ||
		rows[1].Index != 1 || rows[1].Outcome != "deployed" {
		t.Errorf("want bad and app at their places, got %+v", rows)
	}
}
