package frozen

// allowed are the commands of which the current program says something else than commit
// 0c732c6d, each with a text of the line of CHANGELOG.md that announces it. What it says now
// is in testdata/allowed, in a file of the name that it has in testdata/expected; files that
// are not there are as expected. See doc.go.
var allowed = []difference{
	{"fleet/fix", erasesNothing},
	{"fleet/fix-check", erasesNothing},
	{"fleet/fix-diff", erasesNothing},
	{"own-lock-a/fix", erasesNothing},
	{"own-lock-a/fix-check", erasesNothing},
	{"own-lock-a/fix-diff", erasesNothing},
	{"own-lock-b/fix", erasesNothing},
	{"own-lock-b/fix-check", erasesNothing},
	{"own-lock-b/fix-diff", erasesNothing},
	{"ownership/fleet", erasesNothing},
	{"ownership/fleet-lock", erasesNothing},
	{"ownership/patch", erasesNothing},
	{"patched-a/fix", erasesNothing},
	{"patched-a/fix-check", erasesNothing},
	{"patched-a/fix-diff", erasesNothing},
	{"patched-b/fix", erasesNothing},
	{"patched-b/fix-check", erasesNothing},
	{"patched-b/fix-diff", erasesNothing},
	{"support/patched-a", erasesNothing},
	{"fleet/check", stalePatch},
	{"own-lock-a/check", stalePatch},
	{"own-lock-b/check", stalePatch},
	{"patched-a/check", stalePatch},
	{"patched-b/check", stalePatch},
	{"repository/check", stalePatch},
	{"workloads-kustomize/fix-diff", hunkLines},
	{"expand-takeover/render", gateRecord},
	{"flux/fix", gateRecord},
	{"flux/fix-diff", gateRecord},
	{"flux/render", gateRecord},
	{"flux/rendered", gateRecord},
	{"kustomize-production/render", gateRecord},
	{"ownership/person-enables-what-was-disabled", enableRecord},
}

// enableRecord is of the record of what a person had in a template that goldenarch disables.
const enableRecord = "A template that a person enabled in so many words (`enable: \"true\"`) gets that value back"

// gateRecord is of the record of a gate that goldenarch turns on.
const gateRecord = "A CR whose multi-arch gate goldenarch turns on gets the annotation `goldenarch.dev/gate-before-enable`"

// hunkLines is of the lines that hunks name.
const hunkLines = "A hunk of `fix --diff` after one that joins several edits names the right line of the new file"

// erasesNothing is of the patches, which fix writes in another form.
const erasesNothing = "`fix --patch` writes patches that erase nothing"

type difference struct {
	command   string
	changelog string
}

// stalePatch is of the patches in the form of that program, which check reports.
const stalePatch = "`check` reports a patch of goldenarch that `fix` would now write in another way (GA806"
