package compare

import (
	"poolvsloop/internal/procstat"
	"poolvsloop/internal/program"
	"poolvsloop/internal/results"
)

// environment reads where the run takes place. What cannot be read stays empty; the error names it.
func environment() (results.Environment, error) {
	h, err := procstat.ReadHost()
	return results.Environment{
		Host: h.Name, Kernel: h.Kernel, CPUs: h.CPUs, GoMaxProcs: h.GoMaxProcs, CgroupQuota: h.CgroupQuota,
		SoMaxConn: h.Somaxconn, NoFile: h.NofileSoft, Go: h.Go, Versions: program.Versions(),
	}, err
}

// takeVersions moves the versions out of a server's answer to those of the environment. A module of which this program
// has another version is listed for the server, too.
func takeVersions(env *results.Environment, server Server, config map[string]any) {
	versions, _ := config["versions"].(map[string]any)
	delete(config, "versions")
	for module, v := range versions {
		version, ok := v.(string)
		if !ok {
			continue
		}
		if ours, known := env.Versions[module]; known && ours != version {
			module += " in " + string(server)
		}
		env.Versions[module] = version
	}
}
