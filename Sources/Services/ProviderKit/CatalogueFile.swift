package import Circulation

/// A catalogue that lies on the disk, as its provider reads it: harvested like any other.
package struct CatalogueFile: Sendable {
  package enum Kind: Sendable, Hashable {
    /// All there is: what it does not list has left.
    case whole
    /// One title or several, which say nothing of the others.
    case some
    /// All titles, but less of each than is known otherwise: good for those that are not known.
    case outline
  }

  /// As the library's settings want it read.
  package typealias Opening =
    @Sendable (_ path: String, _ library: Library) throws(CatalogueFileError) -> CatalogueFile

  package let kind: Kind
  package let provider: any CirculationProvider
  /// How many bytes of it have been read, and of how many.
  package let progress: @Sendable () -> (read: Int, of: Int)

  package init(
    _ kind: Kind, _ provider: any CirculationProvider,
    progress: @escaping @Sendable () -> (read: Int, of: Int)
  ) {
    (self.kind, self.provider, self.progress) = (kind, provider, progress)
  }
}

package enum CatalogueFileError: Error, Sendable, Hashable {
  /// It cannot be opened, for the reason told.
  case unreadable(String)
  /// It is none of the files that the provider publishes.
  case unknownKind
}
