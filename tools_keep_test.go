package main

import (
	_ "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	_ "github.com/google/go-cmp/cmp"
	_ "github.com/google/go-containerregistry/pkg/registry"
	_ "github.com/google/go-containerregistry/pkg/v1/remote"
	_ "github.com/spf13/cobra"
	_ "go.podman.io/image/v5/pkg/docker/config"
	_ "golang.org/x/sync/errgroup"
	_ "k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
	_ "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
	_ "pgregory.net/rapid"
	_ "sigs.k8s.io/kustomize/kyaml/fn/framework"
	_ "sigs.k8s.io/yaml"
)
