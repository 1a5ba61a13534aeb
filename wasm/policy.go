package wasm

import "github.com/linsat/linsat/wasm/internal/meter"

// limits are what one call of a module may use, together with its start. More steps let longer
// computations end, and one that does not end is found out later: a tenth of a second compiled,
// four interpreted. Deeper calls let more recursive programs run; the interpreter of wazero, which
// takes the place of its compiler on some systems, has frames for 2,000. More memory lets a call
// build larger values.
var limits = meter.Limits{Steps: 100_000_000, Depth: 1000, Pages: 1024}

// stepsPerPrinted is what a printed byte costs, and bytesPerPrint how many of them a text costs
// besides: more keeps a module from filling a terminal, less lets it say more in one call.
const (
	stepsPerPrinted = 1000
	bytesPerPrint   = 64
)

// mostEffort is up to which effort a module is compiled (about two seconds); beyond it is
// interpreted, which starts at once. More runs large modules faster, later.
const mostEffort = 10_000_000
