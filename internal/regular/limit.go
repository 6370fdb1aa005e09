package regular

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
)

// Default is the maximum size of a file, and of the standard input, unless the user sets
// another limit. A dump of 3,000 nodes is smaller.
const Default = 64 << 20

// Flag is the flag that raises the limit.
const Flag = "max-file-size"

// ErrTooLarge is the error for a file or a stream beyond its limit.
var ErrTooLarge = errors.New("it is too large")

// limit is how many bytes the process reads of one file at most; 0 is the default. Like the
// memory, it belongs to the machine that runs goldenarch, and not to one run.
var limit atomic.Int64

// Limit returns how many bytes goldenarch reads of one file at most.
func Limit() int64 { return cmp.Or(limit.Load(), Default) }

// Size is the limit of the process as a flag.
type Size struct{}

// String implements pflag.Value.
func (Size) String() string { return written(Limit()) }

// Type implements pflag.Value.
func (Size) Type() string { return "size" }

// Set implements pflag.Value. It takes a number of bytes, or one of KiB, MiB or GiB:
// 1048576, 1024Ki, 100Mi, 1Gi.
func (Size) Set(text string) error {
	digits, unit := text, int64(1)
	for i, suffix := range units {
		if rest, is := strings.CutSuffix(text, suffix); is {
			digits, unit = rest, 1<<(10*(i+1))
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 1 || n > largest/unit {
		return fmt.Errorf("expected a number of bytes from 1 to 1024Gi, such as 100Mi or 1Gi")
	}
	limit.Store(n * unit)
	return nil
}

var units = []string{"Ki", "Mi", "Gi"}

// largest is the largest limit: with it, no sum of sizes overflows.
const largest = 1 << 40

// written returns a size as people write it.
func written(size int64) string {
	unit := ""
	for _, next := range units {
		if size%1024 != 0 {
			break
		}
		size, unit = size/1024, next
	}
	return strconv.FormatInt(size, 10) + unit
}

// most is how many bytes goldenarch reads at most.
type most struct {
	bytes int64
	raise bool // the user can raise it with the flag
}

func ofProcess() most { return most{bytes: Limit(), raise: true} }

// tooLarge returns the error that something is larger than its limit, with the fix.
func (m most) tooLarge() error {
	if !m.raise {
		return fmt.Errorf("%w: expected at most %s", ErrTooLarge, written(m.bytes))
	}
	return fmt.Errorf("%w: expected at most %s; raise the limit with --%s", ErrTooLarge, written(m.bytes), Flag)
}
