package rewrite

import (
	"errors"
	"go/token"
	"os"
	"os/exec"
	"regexp"
	"strings"
)

// goMod returns the go.mod of the module that a folder is in.
func goMod(dir string) (string, error) {
	c := exec.Command("go", "env", "GOMOD")
	c.Dir = dir
	out, err := c.Output()
	if err != nil {
		return "", err
	}
	file := strings.TrimSpace(string(out))
	if file == "" || strings.HasSuffix(file, "NUL") || file == "/dev/null" {
		return "", errors.New("packages of other modules can only be rewritten inside of a module")
	}
	return file, nil
}

var comment = regexp.MustCompile(`(?s)//[^\n]*|/\*.*?\*/|#include[^\n]*`)

// instructs reports whether a file of assembly holds more than comments. An empty one lets a
// package have functions without bodies.
func instructs(file string) bool {
	text, err := os.ReadFile(file)
	return err != nil || strings.TrimSpace(comment.ReplaceAllString(string(text), "")) != ""
}

// at is the beginning of a file.
func at(file string) token.Position { return token.Position{Filename: file, Line: 1} }
