package import Circulation
package import Database
package import Registry

/// Why an account was not linked, renewed, checked or given up.
package enum EnrollmentError: Error, Sendable {
  /// The library or service says no, or nothing that can be understood.
  case refused(CirculationError)
  /// The library cannot be worked with as it is set up here.
  case unopened(any Error & Sendable)
  case registry(RegistryError)
  case database(DatabaseError)
  /// Only the operator links cards there.
  case operatorLinks
  /// There is no page to sign in at.
  case noPage(LibraryID)
}
