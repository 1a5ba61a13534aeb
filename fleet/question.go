package fleet

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/linsat/linsat/internal/rows"
)

// What is asked about a history: flags of linsat solve. Whoever reaches the queue can put a
// question into it, and a worker runs it as its own user. So a question names no file and no
// directory: its flags are those listed here, and a specification in a file travels with it, as a
// content beside the histories. Submit checks a question to say what is wrong, a worker checks it
// again since it trusts no submitter.

// question is the flags of linsat solve, each as --name=value, and the specification in a file.
type question struct {
	Args []string       `json:"args,omitempty"`
	Spec *specification `json:"spec,omitempty"`
}

// specification is a specification in a file, without the file.
type specification struct {
	Kind   string `json:"kind"` // the extension
	SHA256 string `json:"sha256"`
}

// kinds are the extensions of specifications in files.
var kinds = []string{".star", ".wasm", ".json", ".xml"}

// allowed are the flags of a question, by whether they take a value.
var allowed = map[string]bool{
	"absent": true, "cache": true, "core": true, "drain": false, "engine": true, "first": false, "initial": true,
	"input-format": true, "keyed": false, "memory": true, "nil-reads": true, "partition": true, "quasi": true,
	"quasi-causal": false, "quasi-meaning": true, "relax": true, "solver": true, "spec": true, "steps": true,
	"strict": false, "timeout": true,
}

// whyNot says of flags that people try what to do instead.
var whyNot = map[string]string{
	"format":  "give --format to submit itself, before --",
	"quiet":   "submit reports every history",
	"q":       "submit reports every history",
	"shard":   "the workers of a queue share the histories without it",
	"rows":    "`linsat submit --format json` writes rows",
	"isolate": "a worker isolates every specification in a file",
	"help":    "`linsat solve --help` lists them",
	"h":       "`linsat solve --help` lists them",
}

// asksOf reads the flags of linsat solve as a question, and the content of the specification in a
// file, if they name one.
func asksOf(args []string) (q question, content []byte, err error) {
	for k := 0; k < len(args); k++ {
		name, value, given := strings.Cut(args[k], "=")
		name, isFlag := strings.CutPrefix(name, "--")
		if !isFlag || name == "" {
			if short := strings.TrimPrefix(args[k], "-"); whyNot[short] != "" {
				return q, nil, refused(args[k], short)
			}
			return q, nil, fmt.Errorf("%q after -- is no flag of linsat solve: files go before --", args[k])
		}
		takes, ok := allowed[name]
		switch {
		case !ok:
			return q, nil, refused("--"+name, name)
		case !takes && !given:
			value = "true"
		case takes && !given:
			if k++; k == len(args) {
				return q, nil, fmt.Errorf("--%s needs a value", name)
			}
			value = args[k]
		}
		if kind := filepath.Ext(value); name == "spec" && slices.Contains(kinds, kind) {
			if content, err = os.ReadFile(value); err != nil {
				return q, nil, err
			}
			q.Spec = &specification{kind, rows.HashName(string(content))}
			continue
		}
		q.Args = append(q.Args, "--"+name+"="+value)
	}
	return q, content, q.check()
}

// refused says that a flag is none of a question.
func refused(flag, name string) error {
	why := whyNot[name]
	if why == "" {
		why = "workers take no flags that name files, or that are not about one history"
	}
	return fmt.Errorf("%s is not allowed after --: %s", flag, why)
}

// plainName is the name of a specification that is no file.
var plainName = regexp.MustCompile(`^[A-Za-z0-9_-]*$`)

// check returns an error if the question has a flag that a worker does not take.
func (q question) check() error {
	for _, arg := range q.Args {
		name, value, given := strings.Cut(strings.TrimPrefix(arg, "--"), "=")
		if _, ok := allowed[name]; !ok || !given || !strings.HasPrefix(arg, "--") {
			return refused("--"+name, name)
		}
		if name == "spec" && !plainName.MatchString(value) {
			return fmt.Errorf("--spec %s: it takes the name of a specification, or a file that ends in %s", value,
				strings.Join(kinds, ", "))
		}
	}
	if q.Spec != nil && !slices.Contains(kinds, q.Spec.Kind) {
		return errors.New("a specification of an unknown kind")
	}
	return nil
}
