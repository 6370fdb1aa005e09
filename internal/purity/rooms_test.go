package purity

// module is the path that every import of our own begins with.
const module = "github.com/goldenarch/goldenarch"

// room is the place of a package in the house.
type room struct {
	// floor is the height: a room uses only rooms of lower floors, so that no
	// two rooms ever need each other.
	floor int
	// pure rooms touch no network, no files, no clock, no environment.
	pure bool
	// users are the only rooms that may use this one; nil allows all above.
	users []string
}

// rooms has a row for every package, named by its path below the module; the
// row "" is the binary. A package without a row fails the test: give it its
// place here, deliberately.
var rooms = map[string]room{
	"arch": {floor: 0, pure: true},

	"finding":      {floor: 1, pure: true},
	"api/v1alpha1": {floor: 1, pure: true},
	"imagestream":  {floor: 1, pure: true},
	"cdi":          {floor: 1, pure: true},

	"hyperconverged": {floor: 2, pure: true},
	"cluster":        {floor: 2, pure: true},

	"plan":      {floor: 4, pure: true},
	"expansion": {floor: 3, pure: true},
	"admission": {floor: 3, pure: true},

	"transformers": {floor: 5, pure: true},
	"generators":   {floor: 5, pure: true},
	"forecast":     {floor: 5, pure: true},

	"manifest": {floor: 5},
	"report":   {floor: 6},
	"lock":     {floor: 5},
	"yamledit": {floor: 5},

	"kustomization": {floor: 6, users: []string{"cmd"}},
	"resourcelist":  {floor: 0, pure: true, users: []string{"finding", "fn", "cmd"}},
	"flux":          {floor: 6, pure: true, users: []string{"cmd"}},

	// registry is reached through its one interface. What asks a registry over
	// HTTP is below it; what plays a registry is beside it.
	"registry/internal/credential":   {floor: 1, users: []string{"registry", "registry/internal/transport"}},
	"registry/internal/certificate":  {floor: 1, users: []string{"registry"}},
	"registry/internal/transport":    {floor: 2, users: []string{"registry"}},
	"registry/mirror":                {floor: 0, pure: true, users: []string{"api/v1alpha1", "registry/mirror/registriesconf", "registry", "fn", "cmd"}},
	"registry/mirror/registriesconf": {floor: 2, users: []string{"cmd"}},
	"registry/layout":                {floor: 1, users: []string{"registry", "cmd"}},
	"registry":                       {floor: 3, users: []string{"fn", "cmd", "lock", "internal/demo"}},
	"registry/registrytest":          {floor: 4, users: []string{"internal/demo"}},

	"fn":            {floor: 6, users: []string{"cmd", "internal/demo"}},
	"cmd":           {floor: 7, users: []string{"", "internal/demo"}},
	"internal/demo": {floor: 8},
	"":              {floor: 8},

	"internal/purity":              {floor: 0},
	"test/hostile":                 {floor: 0, users: []string{}},
	"internal/definition":          {floor: 0},
	"internal/shape":               {floor: 0, pure: true},
	"internal/durable":             {floor: 0, users: []string{"lock", "registry/layout", "internal/durable/durabletest"}},
	"internal/durable/durabletest": {floor: 1, users: []string{}},
	"internal/pattern":             {floor: -1, pure: true},
	"internal/yamlout":             {floor: -1, pure: true},
}

// worldly are the packages of the standard library that a pure room does not
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
// room uses these only.
var timeless = []string{
	"Duration", "ParseDuration",
	"Nanosecond", "Microsecond", "Millisecond", "Second", "Minute", "Hour",
}
