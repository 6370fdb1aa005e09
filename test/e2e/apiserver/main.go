// Command apiserver applies objects to an API server with the CRDs of HCO and CDI, as Argo CD and Flux do: server-side and
// strict. It reads objects as JSON, applies all of them twice, and fails if the API server refuses one, or changes one the
// second time.
package main

import (
	"compress/gzip"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	etcd "go.etcd.io/etcd/server/v3/embed"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver"
	"k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	"k8s.io/apiextensions-apiserver/pkg/cmd/server/options"
	openapi "k8s.io/apiextensions-apiserver/pkg/generated/openapi"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	genericopenapi "k8s.io/apiserver/pkg/endpoints/openapi"
	"k8s.io/apiserver/pkg/server"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
)

// The CRDs, without their prose.
//
//go:embed testdata/*.json.gz
var crds embed.FS

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "apiserver")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	config, err := start(ctx, dir)
	if err != nil {
		return err
	}
	objects, err := readObjects(json.NewDecoder(os.Stdin))
	if err != nil {
		return fmt.Errorf("read the objects: %w", err)
	}
	plurals, err := createCRDs(ctx, config, objects)
	if err != nil {
		return err
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	return applier{client, plurals}.applyTwice(ctx, objects)
}

func readObjects(in *json.Decoder) ([]*unstructured.Unstructured, error) {
	var out []*unstructured.Unstructured
	for {
		one := &unstructured.Unstructured{}
		err := in.Decode(&one.Object)
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		out = append(out, one)
	}
}

// start starts etcd and the API server, with their files below a directory.
func start(ctx context.Context, dir string) (*rest.Config, error) {
	store := etcd.NewConfig()
	store.Dir, store.LogLevel, store.UnsafeNoFsync = filepath.Join(dir, "etcd"), "error", true
	store.ListenClientUrls, store.ListenPeerUrls = []url.URL{{Scheme: "http", Host: "127.0.0.1:0"}}, []url.URL{{Scheme: "http", Host: "127.0.0.1:0"}}
	stored, err := etcd.StartEtcd(store)
	if err != nil {
		return nil, fmt.Errorf("start etcd: %w", err)
	}
	<-stored.Server.ReadyNotify()
	// The API server wants the address of another one that it asks who a user is. Nobody asks as a user.
	nobody := filepath.Join(dir, "kubeconfig")
	text := "apiVersion: v1\nkind: Config\nclusters: [{name: c, cluster: {server: 'http://127.0.0.1:9'}}]\n" +
		"contexts: [{name: c, context: {cluster: c}}]\ncurrent-context: c\n"
	if err := os.WriteFile(nobody, []byte(text), 0o600); err != nil {
		return nil, err
	}
	o := options.NewCustomResourceDefinitionsServerOptions(io.Discard, os.Stderr)
	secure := o.RecommendedOptions.SecureServing
	if secure.Listener, err = (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0"); err != nil {
		return nil, err
	}
	address := secure.Listener.Addr().(*net.TCPAddr)
	secure.BindPort, secure.ExternalAddress, secure.ServerCert.CertDirectory = address.Port, address.IP, dir
	o.RecommendedOptions.Etcd.StorageConfig.Transport.ServerList = []string{"http://" + stored.Clients[0].Addr().String()}
	o.RecommendedOptions.Authentication.RemoteKubeConfigFile, o.RecommendedOptions.Authentication.SkipInClusterLookup = nobody, true
	o.RecommendedOptions.Authorization.RemoteKubeConfigFile, o.RecommendedOptions.CoreAPI.CoreAPIKubeconfigPath = nobody, nobody
	o.RecommendedOptions.Features.EnablePriorityAndFairness = false
	o.RecommendedOptions.Admission.DisablePlugins = []string{
		"NamespaceLifecycle", "MutatingAdmissionWebhook", "ValidatingAdmissionWebhook", "ValidatingAdmissionPolicy", "MutatingAdmissionPolicy",
	}
	if err := errors.Join(o.Complete(), o.Validate()); err != nil {
		return nil, fmt.Errorf("the options of the API server: %w", err)
	}
	made, err := o.Config()
	if err != nil {
		return nil, fmt.Errorf("configure the API server: %w", err)
	}
	made.GenericConfig.OpenAPIConfig = server.DefaultOpenAPIConfig(openapi.GetOpenAPIDefinitions, genericopenapi.NewDefinitionNamer(apiserver.Scheme))
	running, err := made.Complete().New(server.NewEmptyDelegate())
	if err != nil {
		return nil, fmt.Errorf("make the API server: %w", err)
	}
	go func() {
		if err := running.GenericAPIServer.PrepareRun().RunWithContext(ctx); err != nil {
			fmt.Fprintln(os.Stderr, "the API server stops:", err)
		}
	}()
	return running.GenericAPIServer.LoopbackClientConfig, nil
}

// createCRDs creates the CRDs for objects, and returns the plural of each kind when the API server serves it.
func createCRDs(ctx context.Context, config *rest.Config, objects []*unstructured.Unstructured) (map[schema.GroupKind]string, error) {
	client, err := clientset.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	entries, err := crds.ReadDir("testdata")
	if err != nil {
		return nil, err
	}
	plurals := map[schema.GroupKind]string{}
	for _, entry := range entries {
		crd, err := readCRD(entry.Name())
		if err != nil {
			return nil, fmt.Errorf("%s: %w", entry.Name(), err)
		}
		store(crd, objects)
		definitions := client.ApiextensionsV1().CustomResourceDefinitions()
		err = eventually(ctx, func() error {
			_, err := definitions.Create(ctx, crd, metav1.CreateOptions{})
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("create %s: %w", crd.Name, err)
		}
		err = eventually(ctx, func() error {
			got, err := definitions.Get(ctx, crd.Name, metav1.GetOptions{})
			if err != nil {
				return err
			}
			for _, c := range got.Status.Conditions {
				if c.Type == apiextensions.Established && c.Status == apiextensions.ConditionTrue {
					return nil
				}
			}
			return fmt.Errorf("not established: %v", got.Status.Conditions)
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", crd.Name, err)
		}
		plurals[schema.GroupKind{Group: crd.Spec.Group, Kind: crd.Spec.Names.Kind}] = crd.Spec.Names.Plural
	}
	return plurals, nil
}

// store lets a CRD store the version that objects have. HCO converts the others by a webhook, which does not run here.
func store(crd *apiextensions.CustomResourceDefinition, objects []*unstructured.Unstructured) {
	for _, o := range objects {
		if of := o.GroupVersionKind(); of.Group == crd.Spec.Group && of.Kind == crd.Spec.Names.Kind {
			for i := range crd.Spec.Versions {
				crd.Spec.Versions[i].Storage = crd.Spec.Versions[i].Name == of.Version
			}
		}
	}
}

// eventually tries until something succeeds, for 30 seconds.
func eventually(ctx context.Context, try func() error) error {
	ctx, stop := context.WithTimeout(ctx, 30*time.Second)
	defer stop()
	for {
		err := try()
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// readCRD reads GROUP_PLURAL.json.gz.
func readCRD(name string) (*apiextensions.CustomResourceDefinition, error) {
	f, err := crds.Open(path.Join("testdata", name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	var from struct {
		Group, Kind string
		Versions    map[string]struct {
			Served, Storage bool
			Schema          *apiextensions.JSONSchemaProps
		}
	}
	if err := json.NewDecoder(unzipped).Decode(&from); err != nil {
		return nil, err
	}
	_, plural, _ := strings.Cut(strings.TrimSuffix(name, ".json.gz"), "_")
	out := &apiextensions.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: plural + "." + from.Group},
		Spec: apiextensions.CustomResourceDefinitionSpec{
			Group: from.Group, Scope: apiextensions.NamespaceScoped,
			Names: apiextensions.CustomResourceDefinitionNames{Plural: plural, Kind: from.Kind, ListKind: from.Kind + "List", Singular: strings.ToLower(from.Kind)},
		},
	}
	for version, one := range from.Versions {
		out.Spec.Versions = append(out.Spec.Versions, apiextensions.CustomResourceDefinitionVersion{
			Name: version, Served: one.Served, Storage: one.Storage, Schema: &apiextensions.CustomResourceValidation{OpenAPIV3Schema: one.Schema},
		})
	}
	return out, nil
}

// applier applies objects.
type applier struct {
	client  dynamic.Interface
	plurals map[schema.GroupKind]string
}

// apply applies an object as Argo CD and Flux do it, and refuses unknown fields. It returns the version of the result.
func (a applier) apply(ctx context.Context, o *unstructured.Unstructured) (string, error) {
	of := o.GroupVersionKind()
	plural := a.plurals[of.GroupKind()]
	if plural == "" {
		return "", fmt.Errorf("no matches for kind %q in version %q", of.Kind, o.GetAPIVersion())
	}
	data, err := o.MarshalJSON()
	if err != nil {
		return "", err
	}
	got, err := a.client.Resource(of.GroupVersion().WithResource(plural)).Namespace(o.GetNamespace()).Patch(
		ctx, o.GetName(), types.ApplyPatchType, data, metav1.PatchOptions{FieldManager: "host", FieldValidation: metav1.FieldValidationStrict},
	)
	if err != nil {
		return "", err
	}
	return got.GetResourceVersion(), nil
}

// applyTwice applies all objects, and again.
func (a applier) applyTwice(ctx context.Context, objects []*unstructured.Unstructured) error {
	var all []error
	versions := make([]string, len(objects))
	for round := range 2 {
		for i, one := range objects {
			name := one.GetKind() + " " + one.GetName()
			version, err := a.apply(ctx, one)
			switch {
			case err != nil:
				all = append(all, fmt.Errorf("%s: the API server refuses it: %w", name, err))
			case round == 1 && version != versions[i]:
				all = append(all, fmt.Errorf("%s: applied again, it changes from version %s to %s", name, versions[i], version))
			case round == 1:
				fmt.Fprintln(os.Stdout, "unchanged", name)
			}
			versions[i] = version
		}
	}
	return errors.Join(all...)
}
