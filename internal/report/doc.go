// Package report shows the same facts to different readers: tables for eyes,
// JSON for programs, YAML for kubectl, and of a [Check] what each host of checks
// reads: Markdown, HTML, SARIF, JUnit, workflow commands of GitHub.
//
// Each format is a func in a file of its own, from facts to bytes. What comes out
// of manifests is escaped as the format needs it, and shows no credential.
package report
