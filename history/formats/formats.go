// Package formats registers every input format of this module, and what reads compressed inputs:
//
//	import _ "github.com/linsat/linsat/history/formats"
//
// Programs that read one kind of history import its package alone and compile no other.
package formats

import (
	// each registers what it reads
	_ "github.com/linsat/linsat/history/compressed"
	_ "github.com/linsat/linsat/history/jepsen"
	_ "github.com/linsat/linsat/history/logs"
	_ "github.com/linsat/linsat/history/transactions"
)
