package argocd

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/argoproj/argo-cd/v3/cmpserver/plugin"
	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

// repoServer is what another installation adds to the repo-server.
type repoServer struct {
	sidecar corev1.Container
	volumes []corev1.Volume
	plugin  plugin.PluginConfigSpec
}

// TestElsewhere holds the sidecar for the Argo CD operator and for the chart argo-cd
// against the one of the kustomize component, which the other tests run.
func TestElsewhere(t *testing.T) {
	t.Parallel()
	want := ofComponent(t)
	t.Run("OpenShiftGitOps", func(t *testing.T) {
		t.Parallel()
		got := ofOperator(t, "openshift-gitops")
		if got.sidecar.SecurityContext.RunAsUser != nil {
			t.Error("OpenShift refuses a fixed user")
		}
		got.sidecar.SecurityContext.RunAsUser = want.sidecar.SecurityContext.RunAsUser
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(repoServer{})); diff != "" {
			t.Errorf("beside the user, it is another sidecar (-component +operator):\n%s", diff)
		}
	})
	t.Run("OperatorOutsideOpenShift", func(t *testing.T) {
		t.Parallel()
		if diff := cmp.Diff(want, ofOperator(t, "argocd-operator"), cmp.AllowUnexported(repoServer{})); diff != "" {
			t.Errorf("it is another sidecar (-component +operator):\n%s", diff)
		}
	})
	t.Run("Chart", func(t *testing.T) {
		t.Parallel()
		got := ofChart(t)
		// The chart has a ConfigMap and a file name of its own (argo-helm
		// templates/argocd-configs/argocd-cmp-cm.yaml).
		for i := range got.volumes {
			if source := got.volumes[i].ConfigMap; source != nil && source.Name == "argocd-cmp-cm" {
				source.Name = "goldenarch-plugin"
			}
		}
		for i := range got.sidecar.VolumeMounts {
			if mount := &got.sidecar.VolumeMounts[i]; mount.SubPath == "goldenarch.yaml" {
				mount.SubPath = "plugin.yaml"
			}
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(repoServer{})); diff != "" {
			t.Errorf("beside the ConfigMap, it is another sidecar (-component +chart):\n%s", diff)
		}
	})
}

// strictly decodes a file of the example: a field that the structure does not have is an
// error.
func strictly(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(example(), name))
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.UnmarshalStrict(data, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

func ofComponent(t *testing.T) repoServer {
	t.Helper()
	var deployment appsv1.Deployment
	var config plugin.PluginConfig
	strictly(t, "plugin/repo-server.yaml", &deployment)
	strictly(t, "plugin/plugin.yaml", &config)
	pod := deployment.Spec.Template.Spec
	return repoServer{container(t, pod.Containers, "goldenarch"), pod.Volumes, config.Spec}
}

// ofOperator builds an example for the Argo CD operator. The structure has the fields of
// its API that the example needs (argocd-operator api/v1beta1: ArgoCDRepoSpec).
func ofOperator(t *testing.T, name string) repoServer {
	t.Helper()
	resources, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), filepath.Join(example(), name))
	if err != nil {
		t.Fatal(err)
	}
	var argocd struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		Metadata   struct{ Name, Namespace string }
		Spec       struct {
			Repo struct {
				SidecarContainers []corev1.Container `json:"sidecarContainers"`
				Volumes           []corev1.Volume    `json:"volumes"`
			} `json:"repo"`
		} `json:"spec"`
	}
	instance := map[string]string{"openshift-gitops": "openshift-gitops", "argocd-operator": "argocd"}[name]
	decode(t, resources, "ArgoCD", instance, &argocd)
	if argocd.APIVersion != "argoproj.io/v1beta1" || argocd.Metadata.Namespace != instance {
		t.Errorf("the operator does not read %s in %s", argocd.APIVersion, argocd.Metadata.Namespace)
	}
	var config corev1.ConfigMap
	decode(t, resources, "ConfigMap", "goldenarch-plugin-", &config)
	runs(t, config.Data["plugin.yaml"])
	out := repoServer{sidecar: container(t, argocd.Spec.Repo.SidecarContainers, "goldenarch"), volumes: argocd.Spec.Repo.Volumes}
	for i := range out.volumes {
		if source := out.volumes[i].ConfigMap; source != nil && source.Name == config.Name {
			source.Name = "goldenarch-plugin" // the hash of its content
		}
	}
	out.plugin = specOf(t, config.Data["plugin.yaml"])
	return out
}

func specOf(t *testing.T, text string) plugin.PluginConfigSpec {
	t.Helper()
	var config plugin.PluginConfig
	if err := yaml.UnmarshalStrict([]byte(text), &config); err != nil {
		t.Fatal(err)
	}
	return config.Spec
}

// ofChart reads the example's values. The structure has the keys of the chart that the
// example needs (argo-helm charts/argo-cd/values.yaml).
func ofChart(t *testing.T) repoServer {
	t.Helper()
	var values struct {
		Configs struct {
			CMP struct {
				Create  bool                               `json:"create"`
				Plugins map[string]plugin.PluginConfigSpec `json:"plugins"`
			} `json:"cmp"`
		} `json:"configs"`
		RepoServer struct {
			ExtraContainers []corev1.Container `json:"extraContainers"`
			Volumes         []corev1.Volume    `json:"volumes"`
		} `json:"repoServer"`
	}
	strictly(t, "argo-helm/values.yaml", &values)
	config, has := values.Configs.CMP.Plugins["goldenarch"]
	if !values.Configs.CMP.Create || !has {
		t.Error("the chart makes no ConfigMap of the plugin")
	}
	return repoServer{container(t, values.RepoServer.ExtraContainers, "goldenarch"), values.RepoServer.Volumes, config}
}
