package registry

import (
	"net/netip"
	"strconv"
	"strings"
)

// The grammar is that of the distribution project's reference package, which
// containers/image and so CDI use. It is checked by hand: compiled
// expressions would cost every start of the program.

// oddCharacter names what no reference has: blanks, control characters and
// what is not ASCII.
func oddCharacter(s string) string {
	if s == "" {
		return "it is empty; expected host/repository:tag"
	}
	for _, r := range s {
		if r <= ' ' || r > '~' {
			return "blanks, control characters and letters beyond ASCII are not allowed (found " + strconv.QuoteRuneToASCII(r) + ")"
		}
	}
	return ""
}

func isDigest(s string) bool {
	algorithm, hex, _ := strings.Cut(s, ":")
	switch algorithm {
	case "sha256":
		return isHex(hex, 64)
	case "sha512":
		return isHex(hex, 128)
	}
	return false
}

func isHex(s string, length int) bool {
	return len(s) == length && strings.Trim(s, "0123456789abcdef") == ""
}

func isTag(s string) bool {
	if s == "" || len(s) > 128 || s[0] == '.' || s[0] == '-' {
		return false
	}
	for i := range len(s) {
		if c := s[i]; !isLower(c) && !isDigit(c) && (c < 'A' || c > 'Z') && c != '_' && c != '.' && c != '-' {
			return false
		}
	}
	return true
}

// checkHost returns what is wrong with a host or host:port, or "".
func checkHost(s string) string {
	var name, port string
	var hasPort bool
	if strings.HasPrefix(s, "[") {
		address, after, closed := strings.Cut(s[1:], "]")
		ip, err := netip.ParseAddr(address)
		if !closed || err != nil || !ip.Is6() || ip.Zone() != "" {
			return "the host must be an IPv6 address in brackets, such as [::1]:5000"
		}
		port, hasPort = strings.CutPrefix(after, ":")
		if after != "" && !hasPort {
			return "only a port can follow the IPv6 address"
		}
		name = "ipv6"
	} else {
		name, port, hasPort = strings.Cut(s, ":")
	}
	if n, err := strconv.Atoi(port); hasPort && (err != nil || n < 1 || n > 65535 || strings.Trim(port, "0123456789") != "") {
		return "the port of the host must be a number from 1 to 65535"
	}
	if strings.ToLower(name) != name {
		return "the host must be lower case: " + strconv.Quote(strings.ToLower(s))
	}
	for label := range strings.SplitSeq(name, ".") {
		if label == "" || label[0] == '-' || label[len(label)-1] == '-' || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return "the host " + strconv.Quote(s) + " is not a host name"
		}
	}
	return ""
}

// checkRepository returns what is wrong with a repository, or "".
func checkRepository(s string) string {
	if s == "" {
		return "the repository is missing; expected host/repository:tag"
	}
	if len(s) > 255 {
		return "the repository is longer than 255 characters"
	}
	for part := range strings.SplitSeq(s, "/") {
		if part == "" {
			return "the repository has an empty part (two slashes, or one at the end)"
		}
		if !isPathPart(part) {
			return "the part " + strconv.Quote(part) + " of the repository must be lower case letters and digits, joined by \".\", \"_\", \"__\" or dashes"
		}
	}
	return ""
}

// isPathPart checks [a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*.
func isPathPart(s string) bool {
	for s != "" {
		n := len(s) - len(strings.TrimLeft(s, "abcdefghijklmnopqrstuvwxyz0123456789"))
		if n == 0 {
			return false
		}
		if s = s[n:]; s == "" {
			return true
		}
		rest := strings.TrimLeft(s, "-")
		if len(rest) == len(s) {
			switch {
			case strings.HasPrefix(s, "__"):
				rest = s[2:]
			case s[0] == '.' || s[0] == '_':
				rest = s[1:]
			}
		}
		if len(rest) == len(s) {
			return false
		}
		s = rest
	}
	return false
}

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }
