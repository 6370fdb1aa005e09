package worker

import (
	"encoding/gob"
	"errors"
	"fmt"
	"io"

	"github.com/goldenarch/goldenarch/internal/input/kustomization"
)

// message is what a worker sends: how many bytes the build has read so far, or how it
// ended. It crosses the pipe in gob, which copies texts as they are; JSON would escape each
// of them, and both ends are the same program.
type message struct {
	Read    int64
	Result  *kustomization.Result
	Failure *kustomization.Failure
}

// bounded fails after more bytes than a build may have in memory.
type bounded struct {
	from io.Reader
	left int64
}

var errLarge = errors.New("the result of the build is larger than its memory may be")

// Read implements [io.Reader].
func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errLarge
	}
	if int64(len(p)) > b.left {
		p = p[:b.left]
	}
	n, err := b.from.Read(p)
	b.left -= int64(n)
	return n, err
}

// ReadByte implements [io.ByteReader], so that a decoder reads no further than a message.
func (b *bounded) ReadByte() (byte, error) {
	var one [1]byte
	_, err := io.ReadFull(b, one[:])
	return one[0], err
}

// receive returns the next message of a worker, which may be anything: it has read files of
// others.
func receive(from *gob.Decoder) (out message, err error) {
	defer func() {
		if crash := recover(); crash != nil {
			err = fmt.Errorf("read the answer of the worker: %v", crash)
		}
	}()
	err = from.Decode(&out)
	return out, err
}
