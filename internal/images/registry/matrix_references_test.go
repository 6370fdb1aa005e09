package registry_test

import (
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// referenceRows are the ways in which people write what they want.
func referenceRows() []matrixRow {
	right := outcome{platforms: appFound}
	refuse := func(row, variant string, ask []string, says ...string) matrixRow {
		return matrixRow{row: row, variant: variant, sent: "nothing: it is not asked", ask: ask, want: outcome{kind: registry.ErrReference, says: says}}
	}
	pinned := registrytest.Index("linux/s390x")
	return []matrixRow{
		{
			row:      "docker:// prefix",
			sent:     "an image; two ways to write one reference are one question",
			ask:      []string{"docker://HOST/" + appImage, "DOCKER://HOST/" + appImage},
			want:     right,
			requests: exactly(1),
		},
		refuse("docker:// prefix", "files", []string{"oci-archive:/images/a.tar", "docker-daemon:fedora:40", "https://HOST/disk.img"},
			"not an image in a registry", "docker://"),
		{
			row: "tag and digest", sent: "an image by its digest: the tag need not exist", push: pushed(pinned),
			ask: []string{"HOST/org/app:gone@" + pinned.Digest()}, want: outcome{platforms: "linux/s390x"}, requests: exactly(1),
		},
		refuse("capitals, blanks, empty parts", "host", []string{"Quay.IO/a/b:1"}, `"quay.io"`),
		refuse("capitals, blanks, empty parts", "path", []string{"HOST/Org/app:1"}, `"Org"`),
		refuse("capitals, blanks, empty parts", "blanks", []string{"HOST/org/app:1 ", "HOST/org/app: 1"}, "blanks"),
		refuse("capitals, blanks, empty parts", "two slashes", []string{"HOST//app", "HOST/org/"}, "empty part"),
		refuse("capitals, blanks, empty parts", "empty tag", []string{"HOST/org/app:"}, "tag"),
		{row: "IPv6, ports", variant: "TLS", sent: "an image at [::1]:port", listen: registrytest.Options{IPv6: true}, want: right, requests: exactly(1)},
		{
			row: "IPv6, ports", variant: "HTTP", sent: "an image at [::1]:port without TLS, which is allowed", listen: registrytest.Options{IPv6: true, PlainHTTP: true},
			client: insecurely, want: right, requests: exactly(1),
		},
		refuse("IPv6, ports", "bare", []string{"::1/a", "HOST0000/a", "[::1/a"}, ""),
	}
}

// insecurely allows plain HTTP, and any certificate, at the registry.
func insecurely(w *world) { w.options.Insecure = append(w.options.Insecure, w.registry.Host()) }
