package registrytest

import (
	"crypto/tls"
	"net"
	"net/http"
)

// Reset answers nothing: it resets the connection (HTTP/1.1) or the stream
// (HTTP/2).
func Reset() Wrapper {
	return func(http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
			conn, _, err := http.NewResponseController(rw).Hijack()
			if err != nil {
				panic(http.ErrAbortHandler) // HTTP/2: RST_STREAM
			}
			if secured, ok := conn.(*tls.Conn); ok {
				conn = secured.NetConn()
			}
			if tcp, ok := conn.(*net.TCPConn); ok {
				_ = tcp.SetLinger(0) // a reset, not an orderly end
			}
			_ = conn.Close()
		})
	}
}
