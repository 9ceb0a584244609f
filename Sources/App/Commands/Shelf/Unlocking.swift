import Arguments
import Items
import Machine
import Secrets
import Setup
import TextSafety

/// From a book that is locked to the key that is tried next: first what the settings and a file
/// give, then what its reader types, a few times.
struct Unlocking {
  private let input: Input
  private let app: App
  private var hasSettings = false
  private var asked = 0
  private static let most = 3

  init(_ input: Input, _ app: App) { (self.input, self.app) = (input, app) }

  /// Nil where no key helps.
  mutating func key(after error: ErrorItem) throws -> LockKey? {
    switch ErrorCode(rawValue: error.code) {
    case .drmLCP where !hasSettings, .passphraseNeeded where !hasSettings && hasFile:
      hasSettings = true
      return LockKey(try fromFile(), try app.configuration().lcp)
    case .passphraseNeeded, .passphraseWrong:
      // A file says the same each time, and who cannot be asked cannot be asked again.
      guard asked < Self.most, try input[BookArgument.passphraseFile] == nil,
        app.questions.mayAsk
      else { return nil }
      asked += 1
      hasSettings = true
      app.output.instruct(Self.words(error))
      let typed = try app.questions.askHidden("Passphrase", flag: "--passphrase-file")
      return LockKey(Secret(typed), try app.configuration().lcp)
    default: return nil
    }
  }

  private var hasFile: Bool {
    if let path = try? input[BookArgument.passphraseFile] { !path.isEmpty } else { false }
  }

  private func fromFile() throws -> Secret? {
    guard let path = try input[BookArgument.passphraseFile] else { return nil }
    do throws(FileError) {
      var bytes = try WholeFile.read(path, upTo: 1 << 12, trusting: .ownerOnly)
      defer { wipe(&bytes) }
      // Its line ends, and the passphrase has none.
      while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
      return Secret(bytes)
    } catch {
      throw CommandError(.unreadable, "cannot take the passphrase from \(path): \(error)")
    }
  }

  /// What its lender says that helps to remember.
  private static func words(_ error: ErrorItem) -> TerminalText {
    let start: TerminalText =
      error.code == ErrorCode.passphraseWrong.rawValue
      ? "That passphrase does not open the book." : "This book opens with your passphrase."
    let hint: TerminalText = error.detail.flatMap { $0.isEmpty ? nil : "\nHint: \($0)" } ?? ""
    let page: TerminalText = error.providerSays.map { "\nMore: \($0)" } ?? ""
    return start + hint + page
  }
}
