package confine

import (
	"errors"
	"net/netip"
	"slices"
)

// The reasons why goldenarch refuses an address.
var (
	errLinkLocal = errors.New("is a link-local address")
	errMetadata  = errors.New("is the metadata service of a cloud, which keeps the credentials of a machine")
	errMulticast = errors.New("is a multicast or broadcast address")
	errLoopback  = errors.New("is the machine that goldenarch runs on, which goldenarch does not contact under Argo CD")
	errUnusual   = errors.New("is an address in an unusual form")
)

// metadata are the metadata services that have no link-local address: AWS by IPv6, Google
// by IPv6, Azure's WireServer, Alibaba Cloud, and Oracle's older one.
var metadata = []netip.Prefix{
	netip.MustParsePrefix("fd00:ec2::/32"), netip.MustParsePrefix("fd20:ce::254/128"),
	netip.MustParsePrefix("168.63.129.16/32"), netip.MustParsePrefix("100.100.100.200/32"), netip.MustParsePrefix("192.0.0.192/32"),
}

// embedding are the IPv6 forms that lead to an IPv4 address, and the bytes of that address:
// NAT64 (RFC 6052, RFC 8215), 6to4 (RFC 3056), the compatible form (RFC 4291), the
// translated form (RFC 2765), and the server and the client of Teredo, whose bits are
// inverted (RFC 4380).
var embedding = []struct {
	prefix   netip.Prefix
	at       [4]int
	inverted bool
}{
	{prefix: netip.MustParsePrefix("64:ff9b::/96"), at: last},
	{prefix: netip.MustParsePrefix("64:ff9b:1::/48"), at: last},
	{prefix: netip.MustParsePrefix("64:ff9b:1::/48"), at: [4]int{6, 7, 9, 10}},
	{prefix: netip.MustParsePrefix("64:ff9b:1::/48"), at: [4]int{7, 9, 10, 11}},
	{prefix: netip.MustParsePrefix("64:ff9b:1::/48"), at: [4]int{9, 10, 11, 12}},
	{prefix: netip.MustParsePrefix("2002::/16"), at: [4]int{2, 3, 4, 5}},
	{prefix: netip.MustParsePrefix("::/96"), at: last},
	{prefix: netip.MustParsePrefix("::ffff:0:0:0/96"), at: last},
	{prefix: netip.MustParsePrefix("2001::/32"), at: [4]int{4, 5, 6, 7}},
	{prefix: netip.MustParsePrefix("2001::/32"), at: last, inverted: true},
}

// last are the last four bytes of an address.
var last = [4]int{12, 13, 14, 15}

// embeddedIPv4 returns the IPv4 addresses that an IPv6 address may lead to. ISATAP puts one
// into the last bytes below any prefix (RFC 5214).
func embeddedIPv4(a netip.Addr) []netip.Addr {
	bytes := a.As16()
	pick := func(at [4]int, mask byte) netip.Addr {
		return netip.AddrFrom4([4]byte{bytes[at[0]] ^ mask, bytes[at[1]] ^ mask, bytes[at[2]] ^ mask, bytes[at[3]] ^ mask})
	}
	var out []netip.Addr
	for _, e := range embedding {
		mask := byte(0)
		if e.inverted {
			mask = 0xff
		}
		// No network is at 0.0.0.0/8, so the address is at another position.
		if v4 := pick(e.at, mask); e.prefix.Contains(a) && (e.at == last || !thisHost.Contains(v4)) {
			out = append(out, v4)
		}
	}
	if bytes[8]&^3 == 0 && bytes[9] == 0 && bytes[10] == 0x5e && bytes[11] == 0xfe {
		out = append(out, pick(last, 0))
	}
	return out
}

// thisHost is 0.0.0.0/8, which connects to the machine itself.
var thisHost = netip.MustParsePrefix("0.0.0.0/8")

// address says why goldenarch must not contact an address, or returns nil. It allows
// private ranges: most registries are in one.
func address(a netip.Addr, loopback bool) error {
	a = a.Unmap().WithZone("")
	switch {
	case a.IsLinkLocalUnicast():
		return errLinkLocal
	case slices.ContainsFunc(metadata, func(p netip.Prefix) bool { return p.Contains(a) }):
		return errMetadata
	case a.IsMulticast(), a == netip.AddrFrom4([4]byte{255, 255, 255, 255}):
		return errMulticast
	case !loopback && (a.IsLoopback() || a.IsUnspecified() || thisHost.Contains(a)):
		return errLoopback
	case a.IsLoopback(), a.IsUnspecified():
		return nil
	}
	if !a.Is6() {
		return nil
	}
	for _, v4 := range embeddedIPv4(a) {
		if err := address(v4, loopback); err != nil {
			return err
		}
	}
	return nil
}
