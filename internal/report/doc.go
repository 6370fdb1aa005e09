// Package report shows the same facts to different readers: tables for people, JSON for
// programs, YAML for kubectl. A [Check] also has the formats of CI systems: Markdown,
// HTML, SARIF, JUnit, workflow commands of GitHub.
//
// A check is told once ([Check.tell]): its reasons, what boots where, and the parts with a
// table. Each format is a view of that, a function in a file of its own. It
// escapes text from manifests as the format requires, and shows no credential.
package report
