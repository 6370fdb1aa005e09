// Package template says whether a text is one for a template engine, such as Helm or Jinja.
// "{{" in a string of valid YAML is text: dashboards, alerts and the descriptions of operators
// have it.
//
// The package is pure: no network, no files, no clock, no environment.
package template
