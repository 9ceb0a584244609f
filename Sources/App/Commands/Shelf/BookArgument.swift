import Arguments
import Items
import Machine
import Setup
import TextSafety

/// The file that the commands about books take, and what is said where it is no book.
enum BookArgument {
  static let file = Argument("file", .file, "An EPUB file; - is the input.")

  static let passphraseFile = Option(
    "passphrase-file", .file, "For a book with a licence: a file with its passphrase, yours alone.")

  /// More than any book has.
  private static let limit = 2 << 30

  static func source(_ input: Input) throws -> BookSource {
    let path = try input[file]
    return path == "-" ? try self.input() : .file(path)
  }

  /// The book that comes from a pipe.
  static func input() throws(CommandError) -> BookSource {
    do throws(FileError) {
      return .bytes(try WholeFile.read("/dev/stdin", upTo: limit))
    } catch {
      throw CommandError(.unreadable, "\(error)", try: "carrel help epub inspect")
    }
  }

  /// Where the book comes from a pipe, one may have to wait for it.
  static func isFile(_ input: Input) throws -> Bool { try input[file] != "-" }

  /// Does something with the book that takes no time worth speaking of.
  static func answerAtOnce<Answer>(
    _ input: Input, _ app: App, _ body: (any BookFiles, BookSource) throws(ErrorItem) -> Answer
  ) throws -> Answer {
    let source = try source(input)
    let name = try input[file]
    var unlocking = Unlocking(input, app)
    var books = try told(name) { () throws(ErrorItem) in try self.books(app) }
    while true {
      do throws(ErrorItem) { return try body(books, source) } catch {
        guard let key = try unlocking.key(after: error) else { throw complaint(error, name) }
        books = books.unlocking(with: key)
      }
    }
  }

  /// Does something with the book, which needs no settings, and nobody to ask unless it is locked.
  static func answer<Answer>(
    _ input: Input, _ app: App,
    _ body: (any BookFiles, BookSource) async throws(ErrorItem) -> Answer
  ) async throws -> Answer {
    let source = try source(input)
    let name = try input[file]
    var unlocking = Unlocking(input, app)
    var books = try told(name) { () throws(ErrorItem) in try self.books(app) }
    while true {
      do throws(ErrorItem) { return try await body(books, source) } catch {
        guard let key = try unlocking.key(after: error) else { throw complaint(error, name) }
        books = books.unlocking(with: key)
      }
    }
  }

  private static func told<Answer>(
    _ name: String, _ body: () throws(ErrorItem) -> Answer
  ) throws(CommandError) -> Answer {
    do throws(ErrorItem) { return try body() } catch { throw complaint(error, name) }
  }

  private static func books(_ app: App) throws(ErrorItem) -> any BookFiles {
    guard let books = app.books else { throw ErrorItem("unexpected") }
    return books
  }

  static func complaint(_ error: ErrorItem, _ name: String) -> CommandError {
    let code = ErrorCode(rawValue: error.code) ?? .unexpected
    let detail = error.detail.flatMap { $0.isEmpty ? nil : " (\($0))" } ?? ""
    let subject = name == "-" ? "the input" : name
    guard code != .unreadable else {
      return CommandError(code, "\(subject) cannot be read\(detail)")
    }
    // These are about what was asked of a book that did open.
    if [.noSuchItem, .itemUnreadable, .queryTooLong, .notWrittenOut].contains(code) {
      return CommandError(code, "\(subject): \(code.cause)\(detail)", try: code.attempt)
    }
    return CommandError(
      code, "\(subject) cannot be opened. \(code.cause)\(detail)", try: "carrel help errors")
  }
}
