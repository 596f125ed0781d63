package compare

import (
	"runtime/debug"

	"poolvsloop/internal/procstat"
	"poolvsloop/internal/results"
)

// environment reads where the run takes place. What cannot be read stays empty; the error names it.
func environment() (results.Environment, error) {
	h, err := procstat.ReadHost()
	return results.Environment{
		Host: h.Name, Kernel: h.Kernel, CPUs: h.CPUs, GoMaxProcs: h.GoMaxProcs, CgroupQuota: h.CgroupQuota,
		SoMaxConn: h.Somaxconn, NoFile: h.NofileSoft, Go: h.Go, Versions: versions(),
	}, err
}

// versions returns those of the modules in this program, and the revision that it was built from.
func versions() map[string]string {
	all := map[string]string{}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return all
	}
	for _, module := range info.Deps {
		all[module.Path] = module.Version
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" || setting.Key == "vcs.modified" {
			all[setting.Key] = setting.Value
		}
	}
	return all
}
