package sweep

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"poolvsloop/internal/results"
)

const schemaFile = "../../results/sweep-schema.json"

// node is what the test looks at in a schema.
type node struct {
	Ref         string          `json:"$ref"`
	Description string          `json:"description"`
	Properties  map[string]node `json:"properties"`
	Required    []string        `json:"required"`
	Items       *node           `json:"items"`
	Additional  json.RawMessage `json:"additionalProperties"`
}

// TestSchemaDescribesEveryField walks the Go types and the schema together. What is of package results is described in its
// own schema.
func TestSchemaDescribesEveryField(t *testing.T) {
	text, err := os.ReadFile(schemaFile)
	require.NoError(t, err)
	var root node
	require.NoError(t, json.Unmarshal(text, &root))
	own := reflect.TypeFor[Sweep]().PkgPath()
	var walk func(path string, typ reflect.Type, n node)
	walk = func(path string, typ reflect.Type, n node) {
		switch {
		case n.Ref != "":
			for typ.Kind() == reflect.Slice {
				typ = typ.Elem()
			}
			require.Equal(t, reflect.TypeFor[results.Run]().PkgPath(), typ.PkgPath(), path)
		case typ.Kind() == reflect.Slice:
			require.NotNil(t, n.Items, path)
			walk(path+"[]", typ.Elem(), *n.Items)
		case typ.Kind() == reflect.Struct && typ != reflect.TypeFor[time.Time]():
			require.Equal(t, own, typ.PkgPath(), path)
			require.Equal(t, "false", string(n.Additional), "%s allows unknown keys", path)
			var keys []string
			for _, field := range reflect.VisibleFields(typ) {
				if field.Anonymous || field.Tag.Get("json") == "-" {
					continue
				}
				key := field.Tag.Get("json")
				keys = append(keys, key)
				entry, ok := n.Properties[key]
				require.True(t, ok, "%s.%s is not in the schema", path, field.Name)
				require.NotEmpty(t, entry.Description, "%s.%s has no description", path, key)
				walk(path+"."+key, field.Type, entry)
			}
			slices.Sort(keys)
			require.Equal(t, keys, slices.Sorted(slices.Values(n.Required)), "%s: every key is required", path)
			require.Len(t, n.Properties, len(keys), "%s: the schema knows a key that no field has", path)
		}
	}
	walk("sweep", reflect.TypeFor[Sweep](), root)
}

// validate holds a sweep against the schema.
func validate(t *testing.T, s *Sweep) {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile(schemaFile)
	require.NoError(t, err)
	text, err := json.Marshal(s)
	require.NoError(t, err)
	require.False(t, strings.Contains(string(text), ":null,\"folder"), "no list is null")
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	require.NoError(t, schema.Validate(value))
}
