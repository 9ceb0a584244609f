import CZlib

/// The library that does the work, for `version`: as linked, since Debian may bring a newer one.
package let zlibVersion = unsafe String(cString: CZlib.zlibVersion())
