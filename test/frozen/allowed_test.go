package frozen

// allowed are the commands of which the current program says something else than commit
// 0c732c6d, each with a text of the line of CHANGELOG.md that announces it. What it says now
// is in testdata/allowed, in a file of the name that it has in testdata/expected; files that
// are not there are as expected. See doc.go.
var allowed = []difference{}

type difference struct {
	command   string
	changelog string
}
