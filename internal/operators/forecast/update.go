package forecast

import (
	"fmt"

	"github.com/goldenarch/goldenarch/internal/operators/expansion"
)

// update says how SSP updates a DataSource of the bundle.
type update struct {
	// auto says that a cron fills the DataSource. Otherwise, SSP does not make the cron.
	auto bool
	// pvc is the PVC that the DataSource points at if no cron fills it. kept is the source
	// that the DataSource keeps. At most one of the two is set.
	pvc  string
	kept map[string]any
	// why says why SSP does not make a cron that a template requests.
	why string
}

// update decides whether a cron fills the DataSource, or whether an existing PVC prevents
// that (ssp reconcile.go: dataSourceAutoUpdateEnabled). old is the PVC from before the
// cluster had several architectures; the default architecture's DataSource may keep it.
func (s ssp) update(name, old string, crons expansion.Crons) update {
	_, wanted := crons[expansion.Key{Namespace: s.Namespace, DataSource: name}]
	found, _ := s.existing.find(KindDataSource, s.Namespace, name)
	u := update{auto: wanted, pvc: name}
	if s.hasPVC(name) && !found.labelled() {
		u.auto = false
		u.why = fmt.Sprintf("PersistentVolumeClaim %q exists, but no DataSource %q says that a cron fills it", s.Namespace+"/"+name, name)
	}
	if old != "" {
		s.keepOld(&u, name, old)
	}
	return u
}

// keepOld keeps the source that the default architecture's DataSource had before the
// cluster had several architectures (ssp reconcile.go: handleDefaultDataSource).
func (s ssp) keepOld(u *update, name, old string) {
	found, exists := s.existing.find(KindDataSource, s.Namespace, name)
	pvc := s.Namespace + "/" + old
	switch {
	case !exists && s.hasPVC(old):
		*u = update{pvc: old, why: fmt.Sprintf("the earlier PersistentVolumeClaim %q exists: the default DataSource keeps using it", pvc)}
	case !exists, found.labelled():
	case found.Ready == "":
		*u = update{kept: found.Source, why: fmt.Sprintf("DataSource %q exists, and CDI has not processed it yet: SSP waits", name)}
	case found.Ready == "True" && found.reads(s.Namespace, old):
		*u = update{pvc: old, why: fmt.Sprintf("DataSource %q is ready and reads the earlier PersistentVolumeClaim %q", name, pvc)}
	}
}

func (s ssp) hasPVC(name string) bool {
	_, ok := s.existing.find(KindPVC, s.Namespace, name)
	return ok
}
