package lex

import "strings"

// MicroName returns what a name of a micro-operation means: "r", "w", "append" or "".
func MicroName(f string) string {
	switch f = strings.ToLower(strings.TrimPrefix(f, ":")); f {
	case "r", "read", "get":
		return "r"
	case "w", "write", "put", "set":
		return "w"
	case "append":
		return "append"
	}
	return ""
}
