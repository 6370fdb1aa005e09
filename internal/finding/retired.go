package finding

// retired has the ids that no finding has any more, with the one that has their meaning now; ""
// where none has. A retired id is never used again: an exception or a report may still name it.
var retired = map[ID]ID{
	"GA132": "", // a flag did nothing for a verb
	"GA432": "", // a gate that spec.gate: Disable had turned off was set free again
	"GA805": "", // a run was interrupted
	"GA807": PatchStale,
	"GA815": "", // a journal was not goldenarch's
	"GA816": "", // a file had the name of an old journal
	"GA817": "", // there was no place for a journal
	"GA824": "", // fix --undo did not know who wrote a value
	"GA736": "", // what the channel heads of a catalog of OLM support
	"GA737": "", // a catalog of OLM was a database
	"GA719": PodUnconstrained,
	"GA860": GateAlert,
}

// Retired returns the id that has the meaning of a retired one now, "" for none, and whether
// the id is retired.
func (id ID) Retired() (ID, bool) {
	if now := id.Public(); now != id {
		return now, true
	}
	now, ok := retired[id]
	return now, ok
}
