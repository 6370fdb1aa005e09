package admission

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// shortest is the shortest duration that HCO admits for a certificate.
const shortest = 10 * time.Minute

// certificateTimes are the durations of spec.certConfig, in the order of their
// names.
var certificateTimes = [][]string{{"ca", "duration"}, {"ca", "renewBefore"}, {"server", "duration"}, {"server", "renewBefore"}}

// security returns a setting of certificates or TLS from where the version keeps it.
func (r request) security(path ...string) any {
	if r.version == hyperconverged.V1 {
		return r.spec(append([]string{"security"}, path...)...)
	}
	return r.spec(path...)
}

// durationsRead reports whether HCO can read the durations of certificates. If not, the
// webhooks cannot read the object.
func (r request) durationsRead() bool {
	for _, path := range certificateTimes {
		if s := text(r.security("certConfig"), path...); s != "" {
			if _, err := time.ParseDuration(s); err != nil {
				return false
			}
		}
	}
	return true
}

// validateCertificates refuses durations of certificates that are too short or
// inconsistent. For both versions, the messages use the v1beta1 names of the fields. If
// several durations are too short, HCO names one at random, and goldenarch names the first
// by name.
func (r request) validateCertificates() error {
	times := map[string]time.Duration{}
	for _, path := range certificateTimes {
		name := path[0] + "." + path[1]
		times[name], _ = time.ParseDuration(text(r.security("certConfig"), path...)) // durationsRead
		if times[name] < shortest {
			return fmt.Errorf("spec.certConfig.%s: value is too small", name)
		}
	}
	switch {
	case times["ca.duration"] < times["ca.renewBefore"]:
		return errors.New("spec.certConfig.ca: duration is smaller than renewBefore")
	case times["server.duration"] < times["server.renewBefore"]:
		return errors.New("spec.certConfig.server: duration is smaller than renewBefore")
	case times["ca.duration"] < times["server.duration"]:
		return errors.New("spec.certConfig: ca.duration is smaller than server.duration")
	}
	return nil
}

// validateTLS refuses a TLS profile that would prevent HCO's servers from running.
func (r request) validateTLS() error {
	profile := r.security("tlsSecurityProfile")
	custom := lookup(profile, "custom")
	if custom == nil {
		if text(profile, "type") == "Custom" {
			return errors.New("missing required field spec.tlsSecurityProfile.custom when type is Custom")
		}
		return nil
	}
	ciphers, _ := lookup(custom, "ciphers").([]any)
	switch version := text(custom, "minTLSVersion"); version {
	case "VersionTLS13":
		if len(ciphers) > 0 {
			return errors.New("custom ciphers cannot be selected when minTLSVersion is VersionTLS13")
		}
	case "VersionTLS10", "VersionTLS11", "VersionTLS12":
		if !slices.Contains(ciphers, any("ECDHE-RSA-AES128-GCM-SHA256")) && !slices.Contains(ciphers, any("ECDHE-ECDSA-AES128-GCM-SHA256")) {
			return errors.New("http2: TLSConfig.CipherSuites is missing an HTTP/2-required AES_128_GCM_SHA256 cipher " +
				"(need at least one of ECDHE-RSA-AES128-GCM-SHA256 or ECDHE-ECDSA-AES128-GCM-SHA256)")
		}
	default:
		if r.version == hyperconverged.V1 {
			return fmt.Errorf("invalid value for spec.tlsSecurityProfile.custom.minTLSVersion: %q", version)
		}
		return errors.New("invalid value for spec.tlsSecurityProfile.custom.minTLSVersion")
	}
	return nil
}
