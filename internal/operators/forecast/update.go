package forecast

import (
	"fmt"

	"github.com/goldenarch/goldenarch/internal/operators/expansion"
)

// update says how SSP keeps a DataSource of the bundle.
type update struct {
	// auto leaves it to its cron. Without, the cron is not made.
	auto bool
	// pvc is the PVC that it points at otherwise, kept the source that it has
	// and keeps; one of the two.
	pvc  string
	kept map[string]any
	// why says why a cron that a template wants is not made.
	why string
}

// update decides whether a cron fills the DataSource, or whether somebody's PVC
// is in the way (ssp reconcile.go: dataSourceAutoUpdateEnabled). old is the PVC
// of one architecture that the default one's goes on using.
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

// keepOld leaves the DataSource of the default architecture on what it had
// before there were several (ssp reconcile.go: handleDefaultDataSource).
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
