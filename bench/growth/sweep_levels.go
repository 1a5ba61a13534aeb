//go:build unix

package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/linsat/linsat/internal/gen"
)

// parseLevels reads "processes=4,16 values=4,distinct violations=none,swap": the dimensions that it
// names take these levels only, the others all. With the word "pairs" any two levels of different
// dimensions meet in some cell, and not all of all.
func parseLevels(text string) (levels, error) {
	l := allLevels()
	for _, item := range strings.Fields(text) {
		if l.pairs = l.pairs || item == "pairs"; item == "pairs" {
			continue
		}
		name, list, _ := strings.Cut(item, "=")
		var err error
		switch names := strings.FieldsFunc(list, isComma); name {
		case "operations":
			l.operations, err = parseEach(names, strconv.Atoi)
		case "processes":
			l.processes, err = parseEach(names, strconv.Atoi)
		case "values":
			l.values, err = parseEach(names, parseValues)
		case "empties":
			l.empties, err = parseEach(names, parseShare)
		case "pending":
			l.pending, err = parseEach(names, parseShare)
		case "violations":
			l.violations, err = parseEach(names, parseViolation)
		case "quasi":
			l.quasi, err = parseEach(names, strconv.Atoi)
		default:
			return l,
				fmt.Errorf(
					"unknown dimension %q: it is operations, processes, values, empties, pending, violations or quasi",
					name)
		}
		if err != nil {
			return l, fmt.Errorf("%s: %w", name, err)
		}
	}
	slices.Sort(l.operations)
	return l, nil
}

func parseEach[T any](names []string, parse func(string) (T, error)) ([]T, error) {
	if len(names) == 0 {
		return nil, fmt.Errorf("no levels")
	}
	var all []T
	for _, name := range names {
		x, err := parse(name)
		if err != nil {
			return nil, err
		}
		all = append(all, x)
	}
	return all, nil
}

func parseValues(s string) (int, error) {
	if s == "distinct" {
		return 0, nil
	}
	return strconv.Atoi(s)
}

func parseShare(s string) (float64, error) { return strconv.ParseFloat(s, 64) }

func parseViolation(s string) (gen.Violation, error) {
	if s == "none" {
		return gen.NoViolation, nil
	}
	v := gen.Violation(s)
	if !slices.Contains(gen.Violations(), v) {
		return v, fmt.Errorf("unknown violation %q", s)
	}
	return v, nil
}
