package shim

import (
	"fmt"
	"log"
	"os"
	"runtime"

	"github.com/linsat/linsat/explore/shim/internal/core"
)

// Exit is os.Exit: in an execution, it ends that.
func Exit(code int) {
	ends(fmt.Sprintf("os.Exit(%d)", code))
	os.Exit(code)
}

// Fatal is log.Fatal, Fatalf log.Fatalf, and Fatalln log.Fatalln.
func Fatal(v ...any)                 { Logger{log.Default()}.Fatal(v...) }
func Fatalf(format string, v ...any) { Logger{log.Default()}.Fatalf(format, v...) }
func Fatalln(v ...any)               { Logger{log.Default()}.Fatalln(v...) }

// Logger is a log.Logger whose Fatal, in an execution, ends that.
type Logger struct{ L *log.Logger }

// Fatal is that of log.Logger.
func (l Logger) Fatal(v ...any) {
	ends("log.Fatal: " + fmt.Sprint(v...))
	l.L.Fatal(v...)
}

// Fatalf is that of log.Logger.
func (l Logger) Fatalf(format string, v ...any) {
	ends("log.Fatal: " + fmt.Sprintf(format, v...))
	l.L.Fatalf(format, v...)
}

// Fatalln is that of log.Logger.
func (l Logger) Fatalln(v ...any) {
	ends("log.Fatal: " + fmt.Sprintln(v...))
	l.L.Fatalln(v...)
}

// ends ends an execution, if one runs.
func ends(what string) {
	if x := core.Running(); x != nil {
		x.Exited(what)
		runtime.Goexit()
	}
}
