package order

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// FindMod returns the go.work of the workspace that a folder is in, or else the go.mod of its
// module, "" without one.
func FindMod(dir string) (string, error) {
	c := exec.Command("go", "env", "GOWORK", "GOMOD")
	c.Dir = dir
	out, err := c.Output()
	if err != nil {
		return "", err
	}
	for file := range strings.Lines(string(out)) {
		file = strings.TrimSpace(file)
		if base := filepath.Base(file); base == "go.mod" || filepath.Ext(base) == ".work" {
			return file, nil
		}
	}
	return "", nil
}

// InWorkspace returns what the environment of the go command has to have for a go.work of ours.
func InWorkspace(file string) []string {
	if filepath.Base(file) != "go.work" {
		return nil
	}
	return []string{"GOWORK=" + file}
}

// usedFolder is a folder of a go.work, relative to it.
var usedFolder = regexp.MustCompile(`(?m)^(\s*(?:use\s+)?)(\.\S*)`)

// CopyMod copies a go.mod and its go.sum, or a go.work and its go.work.sum, into a folder, with
// further lines, and returns the copy.
func CopyMod(mod, folder string, lines ...string) (string, error) {
	text, err := os.ReadFile(mod)
	if err != nil {
		return "", err
	}
	// Relative replacements are relative to the file.
	text = bytes.ReplaceAll(text, []byte("=> ../"), []byte("=> "+filepath.ToSlash(filepath.Dir(filepath.Dir(mod)))+"/"))
	text = bytes.ReplaceAll(text, []byte("=> ./"), []byte("=> "+filepath.ToSlash(filepath.Dir(mod))+"/"))
	name := "go.mod"
	if filepath.Ext(mod) == ".work" {
		name = "go.work"
		text = usedFolder.ReplaceAllFunc(text, func(use []byte) []byte {
			m := usedFolder.FindSubmatch(use)
			return slices.Concat(m[1], []byte(filepath.ToSlash(filepath.Join(filepath.Dir(mod), string(m[2])))))
		})
	}
	for _, line := range lines {
		text = append(append(append(text, '\n'), line...), '\n')
	}
	file := filepath.Join(folder, name)
	if err := WriteIfChanged(file, text); err != nil {
		return "", err
	}
	sums, err := os.ReadFile(strings.TrimSuffix(mod, ".mod") + ".sum")
	if err != nil && !os.IsNotExist(err) {
		return "", err
	}
	return file, WriteIfChanged(strings.TrimSuffix(file, ".mod")+".sum", sums)
}

// WriteIfChanged writes a file unless it holds that already, so that builds of it stay good.
func WriteIfChanged(name string, text []byte) error {
	if old, err := os.ReadFile(name); err == nil && bytes.Equal(old, text) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o644)
}
