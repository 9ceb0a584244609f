package import Circulation
package import Database
package import ReadingLists

package enum MirrorError: Error, Sendable, Hashable {
  case database(DatabaseError)
  case service(CirculationError)
  case lists(ListError)
  /// Somebody else syncs it at this moment.
  case busy
  case unreadable(UnreadableEntry)
  case noSuchWrite
}
