// Package sanitize makes texts of others safe to show: it escapes what steers a terminal or
// breaks a line, breaks the commands of CI systems, and hides credentials. Names of files
// and objects, values of manifests and answers of servers pass it before they are part of a
// message, a report or a result.
package sanitize
