package conformance_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/solver/cdcl"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/verify/clausal"
	"github.com/linsat/linsat/quasi"
)

// lratBooks is where Debian's package acl2-books-source has the LRAT checker that Heule, Hunt and
// Kaufmann verified in ACL2.
const lratBooks = "/usr/share/acl2-*/books/projects/sat/lrat/list-based/run.lisp"

// loadChecker loads the checker from its source. Debian leaves out the files that define its
// packages, so what the checker needs of them is defined here. The proofs about the checker are not
// replayed. Compiled, it does not run out of stack.
const loadChecker = `(set-inhibit-output-lst '(proof-tree event summary warning warning!))
(defpkg "XDOC" (union-eq '(b* defxdoc defxdoc+ defxdoc-raw defsection defpointer xdoc-extend xdoc-prepend order-subtopics) (union-eq *acl2-exports* *common-lisp-symbols-from-main-lisp-package*)))
(defpkg "STD" (union-eq '(b* defxdoc) (union-eq *acl2-exports* *common-lisp-symbols-from-main-lisp-package*)))
(defpkg "INSTANCE" nil)
(ld "projects/sat/lrat/portcullis.acl2" :dir :system)
(set-ld-skip-proofsp 'include-book state)
(include-book "projects/sat/lrat/list-based/run" :dir :system :uncertified-okp t)
(comp t)
`

// checkedProof is a formula and a proof as files.
type checkedProof struct {
	name string
	good bool
}

// TestForeignCheckerAcceptsProofs has the verified LRAT checker of ACL2 check proofs of violations:
// of what clients saw of etcd while its servers were killed, of Jepsen's logs of etcd, where these
// are at hand, of a generated register, and of a priority queue under a factor. It refuses each
// proof with a hint left out.
func TestForeignCheckerAcceptsProofs(t *testing.T) {
	if _, err := exec.LookPath("acl2"); err != nil {
		testenv.Missing(t, testenv.Checker, err)
	}
	if found, err := filepath.Glob(lratBooks); err != nil || len(found) == 0 {
		testenv.Missing(t, testenv.Checker, lratBooks+" is not there")
	}
	dir := t.TempDir()
	script := bytes.NewBufferString(loadChecker)
	var proofs []checkedProof
	write := func(name string, f *clausal.Formula, lemmas []proof.Lemma, good bool) {
		name = fmt.Sprintf("%s%d", name, len(proofs))
		proofs = append(proofs, checkedProof{name, good})
		var cnf, lrat bytes.Buffer
		require.NoError(t, f.WriteDIMACS(&cnf, func(op history.OpID) string { return fmt.Sprint(op) }))
		// This checker reads no comments.
		text := cnf.Bytes()[bytes.Index(cnf.Bytes(), []byte("p cnf")):]
		require.NoError(t, clausal.WriteLRAT(&lrat, f.Len(), lemmas))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".cnf"), text, 0o600))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".lrat"), lrat.Bytes(), 0o600))
		fmt.Fprintf(script, `(mv-let (erp val state) (lrat::verify-lrat-proof-fn "%[1]s.cnf" "%[1]s.lrat" nil state)
  (pprogn (princ$ (if (and (null erp) (eq val t)) "VERIFIED %[1]s" "REFUSED %[1]s") *standard-co* state) (newline *standard-co* state) (value :invisible)))`+"\n", name)
	}
	add := func(name string, b *model.Instance, q *quasi.Question) {
		f, err := clausal.Build(b, q)
		require.NoError(t, err)
		status, lemmas, _ := cdcl.Refute(context.Background(), f)
		require.Equal(t, cdcl.Refuted, status, name)
		write(name, f, lemmas, true)
		// The last lemma cannot do without its hints, nor any other that it needs.
		last := lemmas[len(lemmas)-1]
		write(name, f, append(lemmas[:len(lemmas)-1:len(lemmas)-1], proof.Lemma{Hints: last.Hints[1:]}), false)
	}
	add("recorded", firstViolation(t, specs.KV(), "etcd-serializable.jsonl.gz"), nil)
	s := specs.CASRegister()
	for _, file := range []string{"etcd_001.log", "etcd_020.log"} {
		path, ok := testenv.RecordedIfAny("porcupine", "jepsen", file)
		if !ok {
			continue
		}
		h, err := history.ReadFile(path, history.ReadOptions{})
		require.NoError(t, err)
		b, err := s.Bind(model.Whole(h))
		require.NoError(t, err)
		add("etcd", b, nil)
	}
	g, err := gen.Generate(gen.Options{Spec: "cas-register", Operations: 120, Processes: 6, Seed: 3,
		Violation: "stale"})
	require.NoError(t, err)
	b, err := s.Bind(model.Whole(g.History))
	require.NoError(t, err)
	add("register", b, nil)
	g, err = gen.Generate(gen.Options{Spec: "priority-queue", Operations: 100, Processes: 6, Relax: 4, Seed: 2})
	require.NoError(t, err)
	b, err = specs.PriorityQueue().Bind(model.Whole(g.History))
	require.NoError(t, err)
	add("quasi", b, &quasi.Question{Factor: quasi.Factor{0, 2, 0}, Drain: true})

	ctx, stop := context.WithTimeout(context.Background(), 5*time.Minute)
	defer stop()
	c := exec.CommandContext(ctx, "acl2")
	c.Dir, c.Stdin = dir, script
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s", out)
	said := strings.Split(string(out), "\n")
	for _, p := range proofs {
		if p.good {
			assert.Contains(t, said, "VERIFIED "+p.name, "%s", out)
		} else {
			assert.NotContains(t, said, "VERIFIED "+p.name)
		}
	}
	t.Logf("%d proofs, of which %d were to be refused", len(proofs), len(proofs)/2)
}

// firstViolation returns the shortest prefix of a recording in examples/recorded that is not
// linearizable, of the key that has it.
func firstViolation(t *testing.T, s model.Spec, file string) *model.Instance {
	t.Helper()
	h, err := history.ReadFile(filepath.Join("..", "..", "examples", "recorded", file), history.ReadOptions{})
	require.NoError(t, err)
	r, err := linsat.Check(context.Background(), s, h, linsat.First())
	require.NoError(t, err)
	require.Equal(t, linsat.NotLinearizable, r.Verdict)
	failure := full(&r).Failure
	require.NotNil(t, failure)
	b, err := s.Bind(full(&r).Instance().Partition.Prefix(failure.Cut))
	require.NoError(t, err)
	t.Logf("%s: %d operations of key %s", file, len(b.Partition.Ops), b.Partition.Name)
	return b
}
