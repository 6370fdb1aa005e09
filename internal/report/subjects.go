package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/operators/forecast"
)

// subjects says what was checked: "1 HyperConverged CR, 2 objects with pods". A check
// without CRs and without anything else was about CRs all the same.
func (c Check) subjects() string {
	var out []string
	for _, one := range []struct {
		n        int
		singular string
		plural   string
	}{
		{len(c.CRs), "HyperConverged CR", "HyperConverged CRs"},
		{c.ssps(), "SSP CR", "SSP CRs"},
		{c.Bundles, "operator bundle", "operator bundles"},
		{c.Catalogs, "operator catalog", "operator catalogs"},
		{len(c.Pods), "object with pods", "objects with pods"},
	} {
		switch one.n {
		case 0:
		case 1:
			out = append(out, "1 "+one.singular)
		default:
			out = append(out, fmt.Sprintf("%d %s", one.n, one.plural))
		}
	}
	if len(c.CRs) == 0 && len(c.Pods)+c.Bundles+c.Catalogs == 0 {
		out = slices.Insert(out, 0, "0 HyperConverged CRs")
	}
	if c.Repository != nil {
		out = slices.Insert(out, 0, c.Repository.count())
	}
	return strings.Join(out, ", ")
}

func (c Check) ssps() int {
	n := 0
	for _, one := range c.Forecast {
		if one.Object.Kind == forecast.KindSSP {
			n++
		}
	}
	return n
}

// heading is what a report for people is about.
func (c Check) heading() string {
	switch {
	case len(c.CRs)+c.ssps() > 0 || len(c.Pods)+c.Bundles+c.Catalogs == 0:
		return "Golden images"
	case c.Bundles > 0:
		return "Operator bundle"
	case c.Catalogs > 0:
		return "Operator catalog"
	default:
		return "Architectures of pods"
	}
}
