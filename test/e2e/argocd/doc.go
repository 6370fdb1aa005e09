// Package argocd has nothing but tests: goldenarch as a config management plugin
// of the real Argo CD, called by Argo CD's own code, and what Argo CD's own diff
// makes of the output.
package argocd
