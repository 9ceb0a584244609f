import CPostgres
import CSQLite

/// The library that does the work, for `version`: as linked, since Debian may bring a newer one.
package let sqliteVersion = unsafe String(cString: sqlite3_libversion())

/// The client library; the server may be of another version. Since PostgreSQL 10 the number is
/// the major version times ten thousand and the minor version.
package let libpqVersion = "\(PQlibVersion() / 10_000).\(PQlibVersion() % 10_000)"
