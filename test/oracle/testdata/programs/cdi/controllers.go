// Package controller gets a constructor that CDI's package of this name lacks: the file is
// built into that package (go build -overlay).
package controller

import (
	"github.com/go-logr/logr"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// OracleControllers returns the reconcilers of DataImportCrons and DataSources, whose
// fields other packages cannot set.
func OracleControllers(cl client.Client, cdiNamespace string) (*DataImportCronReconciler, *DataSourceReconciler) {
	return &DataImportCronReconciler{
			client: cl, uncachedClient: cl, scheme: cl.Scheme(), log: logr.Discard(),
			recorder: record.NewFakeRecorder(1000), cdiNamespace: cdiNamespace,
		}, &DataSourceReconciler{
			client: cl, scheme: cl.Scheme(), log: logr.Discard(), recorder: record.NewFakeRecorder(1000),
		}
}
