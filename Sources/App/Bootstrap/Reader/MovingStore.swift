import Database
package import Items
import Machine
import Safekeeping
import Secrets
package import Setup

extension LinkedEngine {
  package func movePlace(
    _ order: MoveOrder, at seat: Seat
  ) async throws(ErrorItem) -> RestorePlace {
    try await RestorePlace(try order.location, passwordFile: order.passwordFile)
  }

  /// A backup of the one, in a file that is gone afterwards, put back into the other: one state of the
  /// first, proved on its way and read back at its end. The first stays as it was.
  package func moveStore(
    _ order: MoveOrder, at seat: Seat, progress: @escaping @Sendable (String) -> Void
  ) async throws(ErrorItem) -> BackupItem {
    let target = try order.location
    let folder = try DataFolder(of: seat)
    guard target.description != folder.database.description else {
      throw ErrorItem("bad_address", detail: "\(target) is the database that is in use already")
    }
    let alone = try taken(folder)
    let draft = Draft("\(folder.path)/moving.draft")
    draft.remove()
    defer { draft.remove() }
    let manifest = try await copied(folder, seat, to: draft.path, progress)
    let filling = Filling(
      Safekeeping(House.wholeScope) { progress("carried \($0.what) \($0.rows)") }, draft.path, nil,
      manifest)
    var item = BackupItem(manifest, at: "\(target)", isSealed: false)
    switch target {
    case .sqlite(let path): item.former = try await filling.file(path, folder)
    case .postgres: try await filling.server(target, order.passwordFile)
    }
    _ = consume alone
    return item
  }

  /// Books stay where they are: in the data folder, whichever database tells of them.
  private func copied(
    _ folder: DataFolder, _ seat: Seat, to path: String,
    _ progress: @escaping @Sendable (String) -> Void
  ) async throws(ErrorItem) -> BackupManifest {
    var settings = StoreSettings()
    settings.passwordFile = seat.passwordFile
    let source = try await opened(folder.database, settings)
    do throws(ErrorItem) {
      let manifest = try await keeping { () throws(BackupError) in
        try await Self.refuseBesideGateway(source)
        return try await House.backUp(
          source, folder, path: path, { progress("read \($0)") }, books: nil)
      }
      await source.close()
      return manifest
    } catch {
      await source.close()
      throw error
    }
  }

  /// What a gateway wrote meanwhile would be missing on the other side.
  private static func refuseBesideGateway(_ store: Store) async throws(BackupError) {
    let isHeld: Bool
    do throws(DatabaseError) {
      isHeld = try await store.write(isolation: .readCommitted) { tx throws(DatabaseError) in
        try tx.isAnybodyHolding(DataFolder.presence)
      }
    } catch {
      throw .database(error)
    }
    if isHeld { throw .inUse("a gateway is running on it") }
  }
}

extension MoveOrder {
  fileprivate var location: Location {
    get throws(ErrorItem) {
      do throws(DatabaseError) {
        return try address.revealText { text throws(DatabaseError) in try Location(text) }
      } catch {
        throw ErrorItem("bad_address", detail: "\(error)")
      }
    }
  }
}
