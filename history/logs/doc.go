// Package logs registers formats of other tools with package history: tables (csv), traces of
// OpenTelemetry (otlp), operations of Porcupine and reports of etcd's robustness tests
// (porcupine-json), and the line formats violin, fastlin, fptlin and lowe.
//
//	import _ "github.com/linsat/linsat/history/logs"
package logs
