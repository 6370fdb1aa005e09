package pipeline

// gateOn reports whether the live CR has the multi-arch gate on.
func (l *liveCR) gateOn() bool {
	if l == nil {
		return false
	}
	on := l.CR.GateAt(l.release())
	return on != nil && *on
}
