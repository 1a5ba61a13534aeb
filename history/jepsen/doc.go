// Package jepsen registers the formats of Jepsen and Knossos with package history: EDN, text logs,
// JSON events and binary files (edn, porcupine, jepsen, jepsen-json, fressian).
//
//	import _ "github.com/linsat/linsat/history/jepsen"
package jepsen
