package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// reading adds the flags for reading a history.
func (s *solver) reading(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&s.inputFormat, "input-format", "", "format of the history, recognised by default: "+formatNames())
	f.StringVar(&s.columns, "columns", "",
		"what the columns of a table (CSV, TSV) are, call=start_ns,return=end_ns; the others are recognised by their "+
			"names")
	f.Var((*keyed)(&s.keyed), "keyed",
		"the values of Jepsen's events are [key value] pairs, or are not (--keyed=false); determined from the calls "+
			"by default")
	f.Lookup("keyed").NoOptDefVal = "true"
	f.StringVar(&s.nilReads, "nil-reads", "",
		"what a completed read of nil means: unknown (as for Knossos, the default for Jepsen's formats) or null (the "+
			"default for others)")
	f.StringVar(&s.absent, "absent", "", "a result that means that nothing is there (NotFound), and is read as null")
	f.StringVar(&s.order, "order", "",
		"what orders Jepsen's events that state a :time: time, or file; by default the time, with a warning where it "+
			"differs from the file")
	f.Var((*uncertainty)(&s.uncertainty), "uncertainty",
		"by how much a time may be wrong, where clients have clocks of their own: 5ms for times in nanoseconds, or a "+
			"number in their unit")
	f.BoolVar(&s.strict, "strict", false,
		"treat warnings about a history as errors: unknown fields, times against the order of the file, no completed "+
			"operation")
}

// partitionFlag adds the flag for how far a history is split, and refuses the one that it had
// before.
func partitionFlag(c *cobra.Command, partition *string) {
	f := c.Flags()
	f.StringVar(partition, "partition", "key",
		"check independent partitions separately: key (keys, elements), object, or none")
	f.Var(renamedFlag("--split is called --partition: write key for pieces, object for objects, or none"), "split", "")
	f.Lookup("split").Hidden = true
}

// renamedFlag is a flag that is refused, with what to write instead.
type renamedFlag string

func (renamedFlag) String() string { return "" }

func (renamedFlag) Type() string { return "string" }

func (r renamedFlag) Set(string) error { return errors.New(string(r)) }

// keyed is ReadOptions.Keyed of package history as a flag: true, false, or not given.
type keyed string

func (k *keyed) String() string { return map[keyed]string{"always": "true", "never": "false"}[*k] }

func (k *keyed) Type() string { return "bool" }

func (k *keyed) Set(text string) error {
	yes, err := strconv.ParseBool(text)
	switch {
	case err != nil:
		return fmt.Errorf("%q is neither true nor false", text)
	case yes:
		*k = "always"
	default:
		*k = "never"
	}
	return nil
}

// size is a number of bytes as a flag: 512MB, 2GiB, 1000000. MB is 10⁶, MiB is 2²⁰.
type size int64

var units = []struct {
	suffix string
	factor int64
}{
	{"kib", 1 << 10}, {"mib", 1 << 20}, {"gib", 1 << 30}, {"tib", 1 << 40},
	{"kb", 1e3}, {"mb", 1e6}, {"gb", 1e9}, {"tb", 1e12},
	{"k", 1 << 10}, {"m", 1 << 20}, {"g", 1 << 30}, {"t", 1 << 40}, {"b", 1},
}

func (s *size) String() string {
	for _, u := range []struct {
		suffix string
		factor size
	}{{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}} {
		if *s != 0 && *s%u.factor == 0 {
			return strconv.FormatInt(int64(*s/u.factor), 10) + u.suffix
		}
	}
	return strconv.FormatInt(int64(*s), 10)
}

func (s *size) Type() string { return "size" }

func (s *size) Set(text string) error {
	number, factor := strings.ToLower(strings.TrimSpace(text)), int64(1)
	for _, u := range units {
		if rest, ok := strings.CutSuffix(number, u.suffix); ok {
			number, factor = strings.TrimSpace(rest), u.factor
			break
		}
	}
	f, err := strconv.ParseFloat(number, 64)
	if bytes := f * float64(factor); err != nil || !(f == 0 || bytes >= 1 && bytes <= 1<<62) {
		return fmt.Errorf("invalid size %q (want 500MB or 2GiB)", text)
	}
	*s = size(f * float64(factor))
	return nil
}

// uncertainty is a time in the unit of a history: a number, or a duration in nanoseconds.
type uncertainty int64

func (u *uncertainty) Set(text string) error {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		d, bad := time.ParseDuration(text)
		if n, err = int64(d), bad; err != nil {
			return errors.New("it is a duration, such as 5ms, or an integer in the unit of the times")
		}
	}
	if n < 0 {
		return errors.New("it is not negative: a time may be that much too early or too late")
	}
	*u = uncertainty(n)
	return nil
}

func (u *uncertainty) String() string { return strconv.FormatInt(int64(*u), 10) }
func (u *uncertainty) Type() string   { return "duration" }
