package lab

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// modulePath is how the source tree is known.
const modulePath = "poolvsloop"

// downstreamProgram is the program of A and B.
const downstreamProgram = "downstream"

// findPrograms returns the directory that holds all the named programs: the one of this executable, or else buildDir, into
// which they are built from the source tree around the working directory or the one that this executable was built from.
func findPrograms(
	ctx context.Context, s *spawner, names []string, buildDir string, progress func(string),
) (string, error) {
	beside, err := executableDir()
	if err != nil {
		return "", err
	}
	missing := missingPrograms(beside, names)
	if len(missing) == 0 {
		return beside, nil
	}
	source, ok := sourceTree()
	if !ok {
		return "", fmt.Errorf("no program %s in %s, and no source tree of %s to build it from: "+
			"put the programs beside this one, or run it from a clone of the repository",
			strings.Join(missing, ", "), beside, modulePath)
	}
	progress("building " + strings.Join(names, ", ") + " from " + source)
	return buildDir, build(ctx, s, source, names, buildDir)
}

func executableDir() (string, error) {
	path, err := os.Executable()
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	if err != nil {
		return "", fmt.Errorf("find this executable: %w", err)
	}
	return filepath.Dir(path), nil
}

func missingPrograms(dir string, names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return isProgram(filepath.Join(dir, name)) })
}

// build compiles the named programs into dir; Go's build cache makes this quick when nothing changed. The go command is
// a child like any other: it dies with this process.
func build(ctx context.Context, s *spawner, source string, names []string, dir string) error {
	goCommand, err := exec.LookPath("go")
	if err != nil {
		return fmt.Errorf("build the programs from %s: no go command on PATH: install Go, or put %s beside this program",
			source, strings.Join(names, ", "))
	}
	args := []string{"build", "-o", dir + string(filepath.Separator)}
	for _, name := range names {
		args = append(args, "./"+sourceFolder(name))
	}
	c := exec.CommandContext(ctx, goCommand, args...)
	c.Dir = source
	c.Cancel = func() error { return c.Process.Signal(unix.SIGINT) } // lets go clean up behind itself
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	err = s.start(c)
	if err == nil {
		err = c.Wait()
	}
	if err != nil {
		return fmt.Errorf("build the programs in %s: %w\n%s", source, errors.Join(err, ctx.Err()), strings.TrimSpace(out.String()))
	}
	return nil
}

// sourceFolder is where a program's source is: servers/NAME for a server.
func sourceFolder(name string) string {
	if name == downstreamProgram {
		return name
	}
	return "servers/" + name
}

// sourceTree finds the root of the repository, upwards from the working directory or from where this file was compiled.
func sourceTree() (string, bool) {
	if dir, err := os.Getwd(); err == nil {
		if root, ok := moduleRoot(dir); ok {
			return root, true
		}
	}
	if _, file, _, ok := runtime.Caller(0); ok && filepath.IsAbs(file) {
		return moduleRoot(filepath.Dir(file))
	}
	return "", false
}

// moduleRoot returns dir or the nearest folder above it that holds the go.mod of this module.
func moduleRoot(dir string) (string, bool) {
	for {
		if moduleName(filepath.Join(dir, "go.mod")) == modulePath {
			return dir, true
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", false
		}
		dir = up
	}
}

// moduleName returns the module path that a go.mod declares, or "".
func moduleName(goMod string) string {
	f, err := os.Open(goMod)
	if err != nil {
		return ""
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if fields := strings.Fields(lines.Text()); len(fields) >= 2 && fields[0] == "module" {
			return strings.Trim(fields[1], `"`)
		}
	}
	return ""
}
