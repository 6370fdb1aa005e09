package confine

import (
	"errors"
	"net/netip"
)

// Why an address is refused.
var (
	errLinkLocal = errors.New("link-local address")
	errMetadata  = errors.New("metadata service of a cloud, which keeps the credentials of a machine,")
	errMulticast = errors.New("multicast or broadcast address")
	errLoopback  = errors.New("machine itself, which is refused under Argo CD,")
)

// metadata are the metadata services that have no link-local address: AWS by IPv6,
// Google by IPv6, Azure's WireServer, Alibaba Cloud, and Oracle's older one.
var metadata = []netip.Prefix{
	netip.MustParsePrefix("fd00:ec2::/32"), netip.MustParsePrefix("fd20:ce::254/128"),
	netip.MustParsePrefix("168.63.129.16/32"), netip.MustParsePrefix("100.100.100.200/32"), netip.MustParsePrefix("192.0.0.192/32"),
}

// embedding are the forms of IPv6 that lead to an IPv4 address, and where that
// stands in them: NAT64 (RFC 6052, RFC 8215), 6to4 (RFC 3056), and the compatible
// form (RFC 4291).
var embedding = []struct {
	prefix netip.Prefix
	at     int
}{
	{netip.MustParsePrefix("64:ff9b::/96"), 12},
	{netip.MustParsePrefix("64:ff9b:1::/48"), 12},
	{netip.MustParsePrefix("2002::/16"), 2},
	{netip.MustParsePrefix("::/96"), 12},
}

// thisHost is 0.0.0.0/8, which connects to the machine itself.
var thisHost = netip.MustParsePrefix("0.0.0.0/8")

// address says why an address must not be contacted, or nil. Private ranges are
// allowed: most registries are in one.
func address(a netip.Addr, loopback bool) error {
	a = a.Unmap().WithZone("")
	switch {
	case a.IsLinkLocalUnicast():
		return errLinkLocal
	case contains(metadata, a):
		return errMetadata
	case a.IsMulticast(), a == netip.AddrFrom4([4]byte{255, 255, 255, 255}):
		return errMulticast
	case !loopback && (a.IsLoopback() || a.IsUnspecified() || thisHost.Contains(a)):
		return errLoopback
	case a.IsLoopback(), a.IsUnspecified():
		return nil
	}
	if a.Is6() {
		bytes := a.As16()
		for _, e := range embedding {
			if e.prefix.Contains(a) {
				return address(netip.AddrFrom4([4]byte(bytes[e.at:e.at+4])), loopback)
			}
		}
	}
	return nil
}

func contains(list []netip.Prefix, a netip.Addr) bool {
	for _, p := range list {
		if p.Contains(a) {
			return true
		}
	}
	return false
}
