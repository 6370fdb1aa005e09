package wrapper

import "slices"

// Carrier is a policy that something makes of a file, such as a PolicyGenerator: what is in the
// file gets to the cluster by it, and no object of the input holds it.
type Carrier struct {
	// By names what makes the policy.
	By string
	// Reach says whether an edit of the file reaches the cluster.
	Reach Reach
	// Remediation says what the policy does.
	Remediation Remediation
	// Entry is where it names the file, and Patches are the kinds that its patches of it are for, "" for one without a kind.
	Entry   string
	Patches []string
}

// Carriers returns the policies that are made of a file; nil knows none.
type Carriers func(file string) []Carrier

// MergedBy names a policy that merges the objects of a file into those of the cluster; "" for none.
func (c Carriers) MergedBy(file string) string {
	for _, one := range c.of(file) {
		if one.Reach == Merged {
			return one.By
		}
	}
	return ""
}

// Informing returns a policy of a file if none of its policies applies the objects.
func (c Carriers) Informing(file string) (Carrier, bool) {
	all := c.of(file)
	if len(all) == 0 || slices.ContainsFunc(all, func(one Carrier) bool { return !one.Remediation.Informs() }) {
		return Carrier{}, false
	}
	return all[len(all)-1], true
}

func (c Carriers) of(file string) []Carrier {
	if c == nil || file == "" {
		return nil
	}
	return c(file)
}
