package cli

import (
	"context"
	"errors"
	"net"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/pipeline"
)

// isIsolated reports whether this process is in a container without a network, as hosts of
// functions start one. It is the first process of the container, and such a container has no
// interface but the loopback.
func isIsolated(pid int) bool {
	if pid != 1 {
		return false
	}
	list, err := net.Interfaces()
	return err == nil && !reachesOut(list)
}

// reachesOut reports whether one of the interfaces leads out of the machine.
func reachesOut(list []net.Interface) bool {
	for _, i := range list {
		if i.Flags&net.FlagUp != 0 && i.Flags&net.FlagLoopback == 0 {
			return true
		}
	}
	return false
}

// networkAdvice says how a user gives a function a network.
func networkAdvice(items []*yaml.RNode) string {
	if pipeline.HostOf(items) == pipeline.Kpt {
		return "give the container a network with kpt fn render --allow-network or kpt fn eval --network, or commit a lock (goldenarch lock)"
	}
	return "give the container a network: set network: true beside its image and run kustomize build with --network, " +
		"which needs both; or commit a lock (goldenarch lock)"
}

// advised puts advice in the place of what a registry that cannot be reached suggests.
func advised(open func(registry.Options) (registry.Resolver, error), advice string) func(registry.Options) (registry.Resolver, error) {
	return func(o registry.Options) (registry.Resolver, error) {
		next, err := open(o)
		if err != nil {
			return nil, err
		}
		return advising{next, advice}, nil
	}
}

type advising struct {
	next   registry.Resolver
	advice string
}

// Resolve implements registry.Resolver.
func (a advising) Resolve(ctx context.Context, ref imageref.Reference) (registry.Image, error) {
	image, err := a.next.Resolve(ctx, ref)
	if failed, is := errors.AsType[*registry.Error](err); is && errors.Is(failed, registry.ErrUnreachable) {
		changed := *failed
		changed.Hint = a.advice
		return image, &changed
	}
	return image, err
}
