import Archive
import Crypto
package import Database
import JSON
import Machine

/// Takes in what was taken along, from here or from elsewhere: what is there already stays, so doing it
/// twice changes nothing the second time.
package struct TakingIn: Sendable {
  package struct Tally: Sendable, Hashable {
    package var added: [String: Int] = [:]
    package var unchanged = 0
    package var books = 0
  }

  private let takeout: Takeout
  /// The catalogue of a house that has one of its own counts for more than one from elsewhere.
  private let catalogue: Set<String>

  package init(_ takeout: Takeout, catalogue: Set<String>) {
    (self.takeout, self.catalogue) = (takeout, catalogue)
  }

  /// `path` is a folder or an archive; an archive is unpacked into `passage` first. `settle` is told
  /// whether a catalogue came along, in the transaction of all else.
  package func take(
    _ path: String, into store: Store, by passage: String,
    books place: @escaping @Sendable (String) -> String,
    settle: @escaping @Sendable (Transaction) throws(DatabaseError) -> Void
  ) async throws(BackupError) -> Tally {
    let folder = try unpacked(path, passage)
    defer { withExtendedLifetime(folder.keeper) {} }
    let manifest = try Self.manifest(folder.path)
    var tally = Tally()
    tally.books = try placeBooks(manifest, folder.path, place)
    let kinds = try Self.kinds(manifest, folder.path)
    let (before, scope) = (tally, self)
    let result: Result<Tally, BackupError>
    do throws(DatabaseError) {
      result = try await store.decide(by: Safekeeping.patience) { tx throws(DatabaseError) in
        var intake = Intake(
          tally: before, tables: try tx.tables(leavingOut: scope.takeout.leftOut),
          parts: scope.takeout.parts, catalogue: scope.catalogue)
        do throws(BackupError) {
          for (kind, lines) in kinds { try intake.take(lines, of: kind, in: tx) }
          try reading { () throws(DatabaseError) in
            if intake.tookCatalogue { try settle(tx) }
          }
          return .success(intake.tally)
        } catch {
          if case .database(let error) = error { throw error }
          return .failure(error)
        }
      }
    } catch {
      throw .database(error)
    }
    return try result.get()
  }

  private static func manifest(_ folder: String) throws(BackupError) -> JSONCursor {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try WholeFile.read("\(folder)/\(Takeout.manifest)", upTo: 256 << 20)
    } catch {
      if error.isMissing { throw .notABackup }
      throw .file(error)
    }
    guard let json = try? JSONValue(parsing: bytes) else {
      throw .damaged(member: Takeout.manifest)
    }
    let form = json["form"]?.string ?? ""
    guard form == Takeout.form else {
      if form.hasPrefix("carrel-export/") { throw .newer(form) }
      throw .notABackup
    }
    return JSONCursor(json)
  }

  private static func kinds(
    _ manifest: JSONCursor, _ folder: String
  ) throws(BackupError) -> [(String, [UInt8])] {
    var kinds: [(String, [UInt8])] = []
    for one in (try? manifest["kinds"].elements()) ?? [] {
      guard let kind = try? one["kind"].string(), let digest = try? one["sha256"].string(),
        kind.allSatisfy({ $0.isASCII && ($0.isLowercase || $0 == "-") })
      else { throw .damaged(member: Takeout.manifest) }
      let bytes: [UInt8]
      do throws(FileError) {
        bytes = try WholeFile.read("\(folder)/\(kind).jsonl", upTo: 4 << 30)
      } catch {
        throw error.isMissing ? .truncated(member: "\(kind).jsonl") : .file(error)
      }
      guard Hex.encode(Digest.sha256.hash(bytes)) == digest else {
        throw .damaged(member: "\(kind).jsonl")
      }
      kinds.append((kind, bytes))
    }
    return kinds
  }

  private func placeBooks(
    _ manifest: JSONCursor, _ folder: String, _ place: (String) -> String
  ) throws(BackupError) -> Int {
    var placed = 0
    for one in (try? manifest["books"].elements()) ?? [] {
      guard let file = try? one["file"].string(), let told = try? one["sha256"].string(),
        file.hasPrefix(BookMember.folder), !file.dropFirst(BookMember.folder.count).contains("/")
      else { throw .damaged(member: Takeout.manifest) }
      let digest = try BookMember.digest(BookMember.folder + told)
      let target = place(digest)
      if (try? OpenFile(target)) != nil { continue }
      guard try Self.digest(of: "\(folder)/\(file)") == digest else {
        throw .damaged(member: file)
      }
      do throws(FileError) {
        try Folder.makePrivate(String(target.dropLast(digest.count + 1)))
        try WholeFile.copy("\(folder)/\(file)", to: target)
      } catch {
        throw .file(error)
      }
      placed += 1
    }
    return placed
  }

  private static func digest(of path: String) throws(BackupError) -> String {
    let file: OpenFile
    do throws(FileError) { file = try OpenFile(path) } catch {
      throw error.isMissing ? .truncated(member: path) : .file(error)
    }
    var running = DigestStream(.sha256)
    while true {
      let piece = try filing { () throws(MachineError) in try file.read() }
      if piece.isEmpty { return Hex.encode(running.finish()) }
      running.update(piece)
    }
  }

  private func unpacked(
    _ path: String, _ passage: String
  ) throws(BackupError) -> (path: String, keeper: TemporaryFolder?) {
    guard let file = try? OpenFile(path) else { return (path, nil) }
    do throws(FileError) { try Folder.makePrivate(passage) } catch { throw .file(error) }
    guard let folder = TemporaryFolder(in: passage) else {
      throw .inUse("no folder can be made in \(passage)")
    }
    let place = try TakeoutPlace(folder: folder.path)
    var (tar, draft) = (ExactTarReader(), DraftFile?.none)
    withExtendedLifetime(place) {}
    while true {
      let step: ExactTarReader.Step
      do throws(TarError) { step = try tar.next() } catch {
        throw tar.member.map { .damaged(member: $0) } ?? .notABackup
      }
      switch step {
      case .begin(let name, _):
        guard Self.isPlain(name) else { throw .badName(name) }
        draft = try filing { () throws(MachineError) in
          try DraftFile(of: "\(folder.path)/\(name)")
        }
      case .content(let bytes):
        try filing { () throws(MachineError) in try draft?.write(bytes) }
      case .whole: try filing { () throws(MachineError) in try draft?.finish() }
      case .needsMore:
        let piece = try filing { () throws(MachineError) in try file.read() }
        guard !piece.isEmpty else { throw .truncated(member: tar.member) }
        tar.feed(piece)
      case .end: return (folder.path, folder)
      }
    }
  }

  /// A file of the folder itself, or one among the books.
  private static func isPlain(_ name: String) -> Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 1 || (parts.count == 2 && parts[0] == "books") else { return false }
    return parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." && !$0.contains("\0") }
  }
}
