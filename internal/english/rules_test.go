package english

import "regexp"

// rule forbids what its pattern matches. A pattern ignores case and matches whole
// words only.
type rule struct {
	pattern string
	instead string
}

// maxWords is the length of the longest sentence that fails no test. Sentences of
// more than wantWords words are logged (go test -v).
const (
	wantWords = 25
	maxWords  = 40
)

var rules = []rule{
	{`foretell(s|ing)?|foretold`, `"predict"`},
	{`fates?`, `what happens: "deployed" or "not deployed"`},
	{`tells?|told|telling`, `"report", "show", "say", or "recognize"`},
	{`(be|been|being) had|had of`, `"is available", "can be read"`},
	{`mend(s|ed|ing)?`, `"fix", "correct"`},
	{`stand(s|ing)?|stood`, `"is", "is written"`},
	{`(what|it|that|this|which|file|name|value|document|field|node|template|image|key|list|path) is no [a-z]+`, `"is not a ..."`},
	{`(?-i:is none|are none|of none)`, `"is not a ...", "no ... found"`},
	{`(there|is|are) twice|had twice`, `"duplicate"`},
	{`by lot`, `"at random"`},
	{`gives? up the ghost`, `"stops", "fails"`},
	{`houses?|housed`, `the reader's noun`},
	{`rooms?`, `"space", or the reader's noun`},
	{`doubt(s|ed|ful)?`, `"warning", or what is uncertain`},
	{`marks?|marked|marking`, `"annotation", "is annotated", "records"`},
	{`claim(s|ed|ing)?`, `"declared architectures"`},
	{`(is|are|was|were|be|been) not? ?(looked at|asked|told|touched|meant)`, `an active sentence with a named actor`},
	{`(is|are|was|were|be|been) (looked at|asked|told|passed over|had)`, `an active sentence with a named actor`},
	{`asked (of|for its)|ask(s|ed|ing)? (a|the|its|each|every|any|no|its own) (registr(y|ies)|mirrors?|images?)`, `"query"`},
	{`passe(s|d) over|pass over`, `"skip"`},
	{`without a word`, `"silently"`},
	{`nothing, if`, `one fix, or none`},
	{`lets? go of|puts? up with|does without`, `a usual verb`},
	{`withh(o|e)ld(s|ing)?`, `"not deployed"`},
	{`unlearn(s|ed)?|hearken|whence|thence|hence|thereof|wherein|likewise|anew|whither|lest`, `a current word`},
	{
		pattern: `(customis|recognis|optimis|normalis|initialis|organis|serialis|summaris|minimis|neutralis|authoris|capitalis|` +
			`specialis)(e|es|ed|ing|ation|ations|er)`,
		instead: `American spelling, as in the Kubernetes documentation`,
	},
	{`(behaviour|colour|favour|neighbour)s?|licences?`, `American spelling, as in the Kubernetes documentation`},
}

// compiled are the rules, ready to match.
var compiled = compile()

type compiledRule struct {
	*regexp.Regexp
	instead string
}

func compile() []compiledRule {
	out := make([]compiledRule, 0, len(rules))
	for _, r := range rules {
		out = append(out, compiledRule{regexp.MustCompile(`(?i)\b(?:` + r.pattern + `)\b`), r.instead})
	}
	return out
}
