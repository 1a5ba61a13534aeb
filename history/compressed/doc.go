// Package compressed makes package history read inputs that are compressed with gzip or zstd.
//
//	import _ "github.com/linsat/linsat/history/compressed"
package compressed
