import Machine
import Setup
import Terminal

/// How pages are liked at this terminal, from one book to the next. It may be deleted at any time.
struct KeptTaste: Sendable {
  private let folder: String
  private var path: String { folder + "/reading-taste" }

  init(_ place: GatewayPlace) { folder = place.state }

  /// No more than a few lines were ever written.
  func read() -> ReaderModel.Taste {
    do throws(FileError) {
      let bytes = try WholeFile.read(path, upTo: 4096)
      return ReaderModel.Taste(text: String(decoding: bytes, as: UTF8.self))
    } catch {
      return ReaderModel.Taste()
    }
  }

  /// What there is to tell the reader, if it could not be kept.
  func keep(_ taste: ReaderModel.Taste) -> String? {
    do throws(FileError) { _ = try Folder.makePrivate(folder) } catch { return Self.trouble }
    do throws(MachineError) {
      try WholeFile.write(Array(taste.text.utf8), to: path)
      return nil
    } catch {
      return Self.trouble
    }
  }

  private static let trouble = "How you like pages could not be kept."
}
