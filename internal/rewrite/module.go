package rewrite

import (
	"errors"
	"os/exec"
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
