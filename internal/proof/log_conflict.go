package proof

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// KindLogConflict is the kind of *LogConflict.
const KindLogConflict Kind = "log-conflict"

// LogConflict proves that a partition of one append-only log (LogTheory) is not linearizable: two
// completed operations, or the initial contents and one, contradict each other. They do if
//
//   - both say what is at one offset, and it differs, or both are appends there;
//   - First returned before Second was called, and left the log longer than Second found it,
//     counting the appends that are certainly between them;
//   - First returned before Second was called, and Second found the log longer than First left it,
//     counting all appends that may be between them;
//   - First is Initial, and Second found a value at an offset where no append can have put it, or
//     oftener than appends can have put it anywhere;
//   - First is an append that returned before Second was called, and Second read the log from its
//     beginning and did not find First's value.
//
// An append at offset o finds o entries, and leaves one more; a read that finds values finds as
// many entries as the last of them says, or at least so many if it was limited to those, and one
// that finds none from an offset on finds at most so many. An append that does not tell its offset
// is at the one where a read of Reads found its value, behind the initial contents, if it alone
// appends that. It then took effect, even if it never returned.
type LogConflict struct {
	about
	First  history.OpID   `json:"first"` // Initial for the initial contents
	Second history.OpID   `json:"second" min:"0"`
	Reads  []history.OpID `json:"reads" none:"" min:"0"`
}

// Kind implements Proof.
func (*LogConflict) Kind() Kind { return KindLogConflict }

// Operations implements Proof: the two, and the reads. Appends beside them may matter, too.
func (r *LogConflict) Operations(*model.Instance) []history.OpID {
	return positions(append([]history.OpID{r.First, r.Second}, r.Reads...))
}
