package order

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
)

// CopyMod copies a go.mod and its go.sum into a folder, with further lines, and returns the copy.
func CopyMod(mod, folder string, lines ...string) (string, error) {
	text, err := os.ReadFile(mod)
	if err != nil {
		return "", err
	}
	// Relative replacements are relative to the file.
	text = bytes.ReplaceAll(text, []byte("=> ../"), []byte("=> "+filepath.ToSlash(filepath.Dir(filepath.Dir(mod)))+"/"))
	text = bytes.ReplaceAll(text, []byte("=> ./"), []byte("=> "+filepath.ToSlash(filepath.Dir(mod))+"/"))
	for _, line := range lines {
		text = append(append(append(text, '\n'), line...), '\n')
	}
	file := filepath.Join(folder, "go.mod")
	if err := WriteIfChanged(file, text); err != nil {
		return "", err
	}
	sums, err := os.ReadFile(strings.TrimSuffix(mod, ".mod") + ".sum")
	if err != nil && !os.IsNotExist(err) {
		return "", err
	}
	return file, WriteIfChanged(filepath.Join(folder, "go.sum"), sums)
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
