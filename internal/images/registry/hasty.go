package registry

import (
	"context"
)

// hastyShare is the part of RequestTimeout that a place gets while there is another one
// to query: 5 s of 15. A working mirror answers much faster, and a silent one must not
// use up the time for the source.
const hastyShare = 3

type hastyKey struct{}

// hasty returns a context for a query that another place can also answer.
func hasty(ctx context.Context) context.Context {
	return context.WithValue(ctx, hastyKey{}, true)
}

func isHasty(ctx context.Context) bool {
	marked, _ := ctx.Value(hastyKey{}).(bool)
	return marked
}
