package lex

import (
	"bytes"
	"path/filepath"
	"strconv"
	"strings"
)

// Words that several formats read and write alike.

// Word cuts the first word off a line.
func Word(text []byte) (word, rest []byte) {
	text = bytes.TrimLeft(text, " \t")
	n := bytes.IndexAny(text, " \t")
	if n < 0 {
		return text, nil
	}
	return text[:n], text[n:]
}

// PlainInt reports whether a text is an integer without superfluous digits.
func PlainInt(text []byte) bool {
	digits := bytes.TrimPrefix(text, []byte{'-'})
	if len(digits) == 0 || digits[0] == '0' && len(digits) > 1 {
		return false
	}
	for _, c := range digits {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// NotInteger is the error of a text that is no integer of 64 bits.
func NotInteger(text string, line int) error {
	return NewError(line, Abbreviate(text)+" is not an integer of 64 bits", integerHint)
}

// ProcessJSON writes the name of a process as an integer if that is what it is.
func ProcessJSON(name string) []byte {
	if n, err := strconv.ParseInt(name, 10, 64); err == nil && strconv.FormatInt(n, 10) == name {
		return []byte(name)
	}
	return AppendJSONString(nil, name)
}

// UnpackedName is the name of a file in lower case, without the extension of its compression.
func UnpackedName(path string) string {
	base := strings.ToLower(filepath.Base(path))
	return strings.TrimSuffix(strings.TrimSuffix(base, ".gz"), ".zst")
}
