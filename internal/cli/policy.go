package cli

// LeastWidth is the width from which on lines are wrapped: more leaves the lines of narrow windows
// to the terminal, less makes columns of single words.
const LeastWidth = 20

// mostIndent is the share of the width that a wrapped line may be indented by: more keeps the
// structure of deeply indented lines, less leaves more room for their words.
const mostIndent = 0.5
