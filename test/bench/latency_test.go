package main

import (
	"crypto/tls"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/goldenarch/goldenarch/test/registrytest"
)

// TestRoundTrip: a far registry answers as a near one, over HTTP/1.1 and HTTP/2,
// on a connection that is used again; and it takes its time.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	const roundTrip = 10 * time.Millisecond
	for name, o := range map[string]registrytest.Options{
		"HTTP/2": {Listen: far(roundTrip)}, "HTTP/1.1": {Listen: far(roundTrip), HTTP1: true}, "plain": {Listen: far(roundTrip), PlainHTTP: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := registrytest.Start(o)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(s.Close)
			s.Push("acme/app:1", registrytest.Image("linux/amd64"))
			pool := registrytest.RootCAs()
			transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: !o.HTTP1}
			t.Cleanup(transport.CloseIdleConnections)
			client := &http.Client{Transport: transport, Timeout: 20 * time.Second}
			began := time.Now()
			const requests = 3
			for range requests {
				response, err := client.Get(s.URL() + "/v2/acme/app/manifests/1")
				if err != nil {
					t.Fatal(err)
				}
				_, err = io.Copy(io.Discard, response.Body)
				if err != nil || response.StatusCode != http.StatusOK {
					t.Fatalf("status %d, %v", response.StatusCode, err)
				}
				_ = response.Body.Close()
			}
			// At least: a connection, and each request.
			if took := time.Since(began); took < (requests+1)*roundTrip {
				t.Errorf("%d requests took %s: they travelled faster than %s each", requests, took, roundTrip)
			}
			if n := s.Connections(); n != 1 {
				t.Errorf("want one connection for all requests, got %d", n)
			}
		})
	}
}
