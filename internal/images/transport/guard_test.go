package transport

import (
	"errors"
	"net"
	"testing"

	"github.com/goldenarch/goldenarch/internal/images/confine"
)

// TestTheResolvedAddressCounts dials a name that leads to the machine itself.
func TestTheResolvedAddressCounts(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	for _, argo := range []bool{false, true} {
		conn, err := guarded(confine.Policy{Argo: argo})(t.Context(), "tcp", "localhost:"+port)
		if refused := errors.Is(err, confine.ErrRefused); refused != argo {
			t.Errorf("under Argo CD %v: want refused %v, got %v", argo, argo, err)
		}
		if conn != nil {
			_ = conn.Close()
		}
	}
}
