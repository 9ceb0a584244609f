import CGD

/// Of the libgd that runs, for `version` and bug reports.
package let gdVersion = unsafe String(cString: gdVersionString())
