// Package report shows the same facts to different readers: tables for people, JSON for
// programs, YAML for kubectl. A [Check] also has the formats of CI systems: Markdown,
// HTML, SARIF, JUnit, workflow commands of GitHub.
//
// Each format is a function in a file of its own that converts facts to bytes. It
// escapes text from manifests as the format requires, and shows no credential.
package report
