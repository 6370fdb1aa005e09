package archtest

// worldly are the packages of the standard library that a pure package does not
// import, with what each would bring in.
var worldly = map[string]string{
	"os":            "files and environment",
	"os/exec":       "processes",
	"os/signal":     "processes",
	"os/user":       "the machine",
	"io/fs":         "files",
	"io/ioutil":     "files",
	"path/filepath": "files",
	"net":           "the network",
	"net/http":      "the network",
	"syscall":       "the system",
	"runtime":       "the machine",
	"log":           "standard error",
	"log/slog":      "standard error",
	"math/rand":     "chance",
	"math/rand/v2":  "chance",
	"crypto/rand":   "chance",
}

// timeless are the names of package time that have no clock in them; a pure
// package uses these only.
var timeless = []string{
	"Duration", "ParseDuration",
	"Nanosecond", "Microsecond", "Millisecond", "Second", "Minute", "Hour",
}
