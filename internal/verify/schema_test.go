package verify_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const schemaFile = "../../docs/certificate.schema.json"

var schema = sync.OnceValue(func() *testenv.Schema {
	s, err := testenv.ReadSchema(schemaFile)
	if err != nil {
		panic(err)
	}
	return s
})

// validates checks a certificate against the schema.
func validates(t *testing.T, text string) {
	t.Helper()
	require.NoError(t, schemaError(text), text)
}

func schemaError(text string) error { return schema().Validate([]byte(text)) }

// The schema names every kind of proof once, and nothing else.
func TestSchemaNamesEveryKind(t *testing.T) {
	defs := schema().Root()["$defs"].(map[string]any)
	kinds := defs["proof"].(map[string]any)["oneOf"].([]any)
	require.Len(t, kinds, len(proof.Kinds()))
	for _, kind := range proof.Kinds() {
		assert.Contains(t, kinds, map[string]any{"$ref": "#/$defs/" + string(kind)})
		form := defs[string(kind)].(map[string]any)["properties"].(map[string]any)
		assert.Equal(t, map[string]any{"const": string(kind)}, form["kind"])
	}
}

// The validator refuses what the schema excludes.
func TestSchemaRefusesWhatIsMalformed(t *testing.T) {
	const good = `{"linsat": 2, "question": {"spec": "queue", "partition": "key"}, "verdict": "linearizable", "parts": [{"operations": ["0"], "witness": [0]}]}`
	require.NoError(t, schemaError(good))
	for _, x := range []struct {
		from, to string
	}{{`"linsat": 2`, `"linsat": 1`}, {`"key"`, `"pieces"`}, {`"linearizable"`, `"unknown"`},
		{`"witness": [0]`, `"witness": [-1]`},
		{`"witness": [0]`, `"proof": {"kind": "wish", "version": 1}`}, {`"witness": [0]`, `"weakening": {}`},
		{`"spec": "queue", `, ``}, {`[0]`, `0`},
		{`"witness": [0]`, `"proof": {"kind": "exhaustion", "version": 2, "weakening": {}, "cases": 1}`}} {
		bad := strings.Replace(good, x.from, x.to, 1)
		require.NotEqual(t, good, bad)
		assert.Error(t, schemaError(bad), bad)
	}
}
