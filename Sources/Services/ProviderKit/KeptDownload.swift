package import Circulation
import HTTP
package import HTTPClient
import Machine

/// A large file of a service, fetched once and kept until the service has another one.
package struct KeptFile: Sendable, Hashable {
  package let path: String
  /// What the service tells its versions apart by.
  package let version: String
}

/// The answer to a wish for a file: it is here, or the service had something else to say.
package enum Keeping: Sendable {
  case file(KeptFile)
  case answered(Reply)
}

extension Session {
  /// The service's present version of a file, from the disk where it is there already. What is
  /// fetched grows beside it, goes on where a broken line left it, and takes its place only as a
  /// whole.
  package func kept(
    _ request: WireRequest, as name: String, _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> Keeping {
    let path = try keepingPlace(name, operation)
    var question = request
    question.method = .head
    let head = try await send(question, operation, in: call)
    // Some servers do not know the question; the file itself will tell.
    let isUnasked = [405, 501].contains(head.status.code)
    guard head.status == .ok || isUnasked else { return .answered(head) }
    if let version = Self.version(head.headers), let file = keptFile(name), file.version == version
    {
      return .file(file)
    }
    return try await fetched(request, path, operation, call)
  }

  /// What is on the disk, whatever the service has by now.
  package func keptFile(_ name: String) -> KeptFile? {
    guard let folder = cache, let bytes = try? WholeFile.read(Self.note(folder, name), upTo: 4096)
    else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    let path = "\(folder)/\(name)"
    guard lines.count == 3, lines[0] == "carrel-kept 1", let file = try? OpenFile(path),
      file.version == lines[1]
    else { return nil }
    return KeptFile(path: path, version: String(lines[2]))
  }

  /// A file that turned out to be no good is not kept, however often the service calls it its own.
  package func discard(_ file: KeptFile) {
    try? GuardedFile.remove(file.path + ".kept")
    try? GuardedFile.remove(file.path)
  }

  private func keepingPlace(_ name: String, _ operation: Circulation.Operation)
    throws(CirculationError) -> String
  {
    guard let folder = cache else {
      throw CirculationError(
        .notConfigured(what: "a folder for large files"), from: provider, during: operation)
    }
    do throws(FileError) { try Folder.makePrivate(folder) } catch {
      throw CirculationError(
        .notConfigured(what: "a folder for large files"), from: provider, during: operation,
        providerSays: "\(error)")
    }
    return "\(folder)/\(name)"
  }

  private func fetched(
    _ request: WireRequest, _ path: String, _ operation: Circulation.Operation, _ call: Call
  ) async throws(CirculationError) -> Keeping {
    switch try await download(request, to: path, operation, in: call) {
    case .answered(let reply): return .answered(reply)
    case .stored(let stored):
      let file: KeptFile
      do throws(FileError) {
        let onDisk = try OpenFile(path)
        file = KeptFile(
          path: path, version: Self.version(stored.head.headers) ?? "unnamed \(onDisk.version)")
        let note = "carrel-kept 1\n\(onDisk.version)\n\(file.version)\n"
        do throws(MachineError) { try WholeFile.write(Array(note.utf8), to: path + ".kept") } catch
        {
          throw FileError.failed(error)
        }
      } catch {
        throw CirculationError(
          .notConfigured(what: "a folder for large files"), from: provider, during: operation,
          providerSays: "\(error)")
      }
      return .file(file)
    }
  }

  private static func note(_ folder: String, _ name: String) -> String { "\(folder)/\(name).kept" }

  /// The entity's tag, or else its date.
  private static func version(_ headers: Headers) -> String? {
    let text = headers["ETag"] ?? headers["Last-Modified"]
    return text.map { $0.filter { !$0.isNewline } }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
