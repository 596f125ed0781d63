package lab

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAdminTellsWhatWasRefused(t *testing.T) {
	refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "not now", http.StatusBadRequest)
	}))
	defer refusing.Close()
	a, err := newAdmin("downstream-a", refusing.URL)
	require.NoError(t, err)
	defer a.close()
	require.EqualError(t, a.post(context.Background(), "/reset"),
		"POST /reset of admin port of downstream-a ("+refusing.URL+"): answer 400 Bad Request: not now")
}
