package access

import (
	"encoding/json"
	"strings"

	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/subject"
)

// storageImport is the part of a CR that concerns registries (hco api/v1, api/v1beta1:
// StorageImportConfig).
type storageImport struct {
	InsecureRegistries []string `json:"insecureRegistries"`
}

// insecureRegistries returns the registries that the CRs call insecure. CDI matches each
// entry exactly, so an entry without a port applies only to port 443.
func insecureRegistries(list []subject.Subject) []string {
	var out []string
	for _, s := range list {
		for _, host := range insecureRegistriesOf(s) {
			switch {
			case host == "":
			case strings.LastIndexByte(host, ':') > strings.LastIndexByte(host, ']'):
				out = append(out, host)
			default:
				out = append(out, host+":443")
			}
		}
	}
	return out
}

// insecureRegistriesOf returns the list of one CR. Each API version has its own field for
// it.
func insecureRegistriesOf(s subject.Subject) []string {
	var spec struct {
		Spec struct {
			StorageImport storageImport `json:"storageImport"`
			Storage       struct {
				StorageImport storageImport `json:"storageImport"`
			} `json:"storage"`
		} `json:"spec"`
	}
	if err := json.Unmarshal(s.Data, &spec); err != nil {
		return nil // the schema check reports it
	}
	if s.CR.Version == hyperconverged.V1 {
		return spec.Spec.Storage.StorageImport.InsecureRegistries
	}
	return spec.Spec.StorageImport.InsecureRegistries
}
