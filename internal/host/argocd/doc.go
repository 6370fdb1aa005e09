// Package argocd is what goldenarch does as a config management plugin of Argo CD: it reads the
// options of an Application, says why it handles a directory, shortens the errors that Argo CD
// shows, and lets only as many calls run at once as the memory of the sidecar allows.
package argocd
