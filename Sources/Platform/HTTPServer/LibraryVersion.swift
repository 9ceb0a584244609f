import CEvent
import CLLHTTP

/// The libraries that do the work, for `version`: as linked, since Debian may bring newer ones.
package let eventVersion = unsafe String(cString: event_get_version())

/// This one is compiled in, so its header is what runs.
package let llhttpVersion = [LLHTTP_VERSION_MAJOR, LLHTTP_VERSION_MINOR, LLHTTP_VERSION_PATCH]
  .map { String($0) }.joined(separator: ".")
