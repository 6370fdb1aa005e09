package registry

import (
	"context"
)

// hastyShare is which part of RequestTimeout a place gets while there is another
// one to ask: 5 s of 15. A mirror that is up answers in far less, and one that is
// silent must not eat up the time for the source.
const hastyShare = 3

type hastyKey struct{}

// hasty marks a question that can be asked elsewhere too.
func hasty(ctx context.Context) context.Context {
	return context.WithValue(ctx, hastyKey{}, true)
}

func isHasty(ctx context.Context) bool {
	marked, _ := ctx.Value(hastyKey{}).(bool)
	return marked
}
