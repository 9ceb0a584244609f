import CYaml

/// The library that does the work, for `version`: as linked, since Debian may bring a newer one.
package let yamlVersion = unsafe String(cString: yaml_get_version_string())
