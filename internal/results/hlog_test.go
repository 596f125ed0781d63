package results

import (
	"bytes"
	"os"
	"testing"

	hdr "github.com/HdrHistogram/hdrhistogram-go"
	"github.com/stretchr/testify/require"
)

func FuzzReadHistogramLog(f *testing.F) {
	times := hdr.New(1, 100, 1)
	require.NoError(f, times.RecordValue(7))
	var log bytes.Buffer
	require.NoError(f, WriteHistogramLog(&log, []Interval{{Tag: "round-1", Times: times}}))
	f.Add(log.Bytes())
	f.Fuzz(func(t *testing.T, log []byte) {
		all, err := ReadHistogramLog(bytes.NewReader(log))
		for _, i := range all {
			require.NoError(t, err)
			require.NotNil(t, i.Times)
		}
	})
}

func TestReadHistogramLog(t *testing.T) {
	log, err := os.ReadFile("../../results/example/eventloop-response.hlog")
	require.NoError(t, err)
	all, err := ReadHistogramLog(bytes.NewReader(log))
	require.NoError(t, err)
	require.Len(t, all, 4)
	require.Equal(t, "round-1", all[0].Tag)
	require.EqualValues(t, 5000, all[3].Times.TotalCount())
	_, err = ReadHistogramLog(bytes.NewReader(log[:len(log)-200]))
	require.ErrorContains(t, err, "read the interval after 3")
}
