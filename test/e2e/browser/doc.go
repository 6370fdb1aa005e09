// Package browser opens the pages that goldenarch writes in a real Chromium.
package browser
