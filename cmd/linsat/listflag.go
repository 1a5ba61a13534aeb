package main

import "strings"

// list is the value of a flag that takes several words, with commas between them or one for each
// time that it is given. It is pflag's stringSlice without the quotation marks of encoding/csv.
type list struct {
	words *[]string
	given bool // what is there was given, and is no default
}

// several returns the value of a flag whose words begin with the default.
func several(into *[]string, otherwise ...string) *list {
	*into = otherwise
	return &list{words: into}
}

// Set implements pflag.Value.
func (l *list) Set(text string) error {
	if !l.given {
		*l.words, l.given = nil, true
	}
	if text != "" {
		*l.words = append(*l.words, strings.Split(text, ",")...)
	}
	return nil
}

// String implements pflag.Value.
func (l *list) String() string {
	if l.words == nil || len(*l.words) == 0 {
		return ""
	}
	return "[" + strings.Join(*l.words, ",") + "]"
}

// Type implements pflag.Value.
func (l *list) Type() string { return "strings" }
