package import Circulation
package import Database

package enum MirrorError: Error, Sendable, Hashable {
  case database(DatabaseError)
  case service(CirculationError)
  /// Somebody else syncs it at this moment.
  case busy
  case noSuchWrite
}
