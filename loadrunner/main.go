// Command loadrunner measures the lab's servers: it sends them the same requests, checks that the measurement can be
// trusted, and says what the figures carry.
package main

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"poolvsloop/internal/program"
)

func main() {
	if filepath.Base(os.Args[0]) == "ab" {
		program.Main(abCommand(os.Args[0]))
	}
	program.Main(command())
}

// command is loadrunner: without a sub-command it compares.
func command() *cobra.Command {
	root := compareCommand()
	root.Use = "loadrunner"
	root.Long += "\n\nWithout a command, loadrunner does what loadrunner compare does."
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(compareCommand(), sweepCommand(), runCommand(), predictCommand(), reportCommand(), diffCommand(), auditCommand(), presetCommand(), selftestCommand(), abCommand("ab"), versionCommand(), healthCommand(), cacheCommand())
	return root
}
