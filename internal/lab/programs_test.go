package lab

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), mode))
}

// tree makes a source tree with the programs of a lab.
func tree(t *testing.T, source string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	write(t, filepath.Join(root, "go.mod"), "// a comment\nmodule poolvsloop // its name\n\ngo 1.26\n", 0o644)
	for _, folder := range []string{"servers/threadpool", "servers/eventloop", "downstream"} {
		write(t, filepath.Join(root, folder, "main.go"), source, 0o644)
	}
	return root
}

var twoPrograms = []string{downstreamProgram, "threadpool"}

func TestFindProgramsBuildsThem(t *testing.T) {
	root := tree(t, "package main\n\nfunc main() { println(\"built\") }\n")
	s := newSpawner()
	defer s.close()
	for _, from := range []string{".", "loadrunner", "internal/lab"} {
		require.NoError(t, os.MkdirAll(filepath.Join(root, from), 0o755))
		t.Chdir(filepath.Join(root, from))
		var told string
		dir := filepath.Join(t.TempDir(), "bin")
		found, err := findPrograms(context.Background(), s, twoPrograms, dir, func(text string) { told = text })
		require.NoError(t, err)
		require.Equal(t, dir, found)
		require.Equal(t, "building downstream, threadpool from "+root, told)
		require.Empty(t, missingPrograms(dir, twoPrograms))
	}
}

func TestFindProgramsCannotBuild(t *testing.T) {
	dir := t.TempDir()
	s := newSpawner()
	defer s.close()
	t.Run("source that does not compile", func(t *testing.T) {
		t.Chdir(tree(t, "package main\n\nfunc main() { undefined() }\n"))
		_, err := findPrograms(context.Background(), s, twoPrograms, dir, func(string) {})
		require.ErrorContains(t, err, "build the programs in")
		require.ErrorContains(t, err, "undefined: undefined")
	})
	t.Run("cancelled", func(t *testing.T) {
		t.Chdir(tree(t, "package main\n\nfunc main() {}\n"))
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_, err := findPrograms(ctx, s, twoPrograms, dir, func(string) {})
		require.ErrorIs(t, err, context.Canceled)
	})
	t.Run("no go command", func(t *testing.T) {
		t.Chdir(tree(t, "package main\n\nfunc main() {}\n"))
		t.Setenv("PATH", "/nowhere")
		_, err := findPrograms(context.Background(), s, twoPrograms, dir, func(string) {})
		require.ErrorContains(t, err, "no go command on PATH: install Go, or put downstream, threadpool beside this program")
	})
}

func TestMissingPrograms(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "threadpool"), "", 0o755)
	write(t, filepath.Join(dir, "eventloop"), "", 0o644)                  // not to be executed
	require.NoError(t, os.Mkdir(filepath.Join(dir, "downstream"), 0o755)) // the source folder
	require.Equal(t, []string{"eventloop", "downstream"}, missingPrograms(dir, []string{"threadpool", "eventloop", "downstream"}))
}

func TestModuleRoot(t *testing.T) {
	other := t.TempDir()
	write(t, filepath.Join(other, "go.mod"), "module example.com/other\n", 0o644)
	_, ok := moduleRoot(other)
	require.False(t, ok)

	root := tree(t, "")
	write(t, filepath.Join(root, "tool", "go.mod"), "module \"example.com/tool\"\n", 0o644)
	found, ok := moduleRoot(filepath.Join(root, "tool"))
	require.True(t, ok, "a module inside the tree is passed by")
	require.Equal(t, root, found)
	require.Equal(t, "example.com/tool", moduleName(filepath.Join(root, "tool", "go.mod")))
}

func TestSourceTreeOfThisExecutable(t *testing.T) {
	t.Chdir(t.TempDir())
	root, ok := sourceTree()
	require.True(t, ok)
	require.FileExists(t, filepath.Join(root, "internal", "lab", "programs.go"))
}

func TestScratch(t *testing.T) {
	parent := t.TempDir()
	alive, err := newScratch(parent)
	require.NoError(t, err)
	dead, err := newScratch(parent)
	require.NoError(t, err)
	write(t, filepath.Join(dead.dir, "bin", "threadpool"), "", 0o755)
	require.NoError(t, dead.owner.Close()) // what the kernel does when the owner dies
	unfinished := filepath.Join(parent, scratchPrefix+"unfinished")
	foreign := filepath.Join(parent, "something-else")
	for _, dir := range []string{unfinished, foreign} {
		require.NoError(t, os.Mkdir(dir, 0o700))
	}
	write(t, filepath.Join(foreign, ownerFile), "", 0o600)

	sweep(parent)
	require.NoDirExists(t, dead.dir)
	for _, dir := range []string{alive.dir, unfinished, foreign} {
		require.DirExists(t, dir)
	}
	require.NoError(t, alive.remove())
	require.NoDirExists(t, alive.dir)

	_, err = newScratch(filepath.Join(parent, "nowhere"))
	require.ErrorContains(t, err, "make a temporary directory")
}
