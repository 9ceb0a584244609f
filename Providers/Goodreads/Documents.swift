import Circulation
import HTTP
import HTTPClient
import ProviderKit
import XML

/// One answer of the service, not looked at yet.
struct Answer: Sendable {
  let status: Int
  let body: [UInt8]
  var retryAfter: Duration?
  var location: String?

  init(status: Int, body: [UInt8]) { (self.status, self.body) = (status, body) }

  init(_ reply: Reply) {
    self.init(status: reply.status.code, body: reply.body)
    retryAfter = reply.retryAfter
    location = reply.headers["Location"]
  }

  /// The element that this answer is about. A document without it is a changed service and never an
  /// empty shelf (§2).
  func payload(_ names: [String], _ operation: Circulation.Operation)
    throws(CirculationError) -> WireXML
  {
    let root = try root(operation)
    // The oldest answers have nothing around them.
    if names.contains(where: root.isNamed) { return root }
    guard root.isNamed("GoodreadsResponse") else {
      throw Documents.malformed(names[0], operation)
    }
    for name in names { if let found = root[name] { return found } }
    if let error = root["error"] { throw complaint(error, operation) }
    throw Documents.malformed(names[0], operation)
  }

  /// Where only the status counts, and what came with it must not say otherwise.
  func nod(_ operation: Circulation.Operation) throws(CirculationError) {
    if (200..<300).contains(status), body.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) {
      return
    }
    _ = try root(operation)
  }

  /// Text, where the service answers in that.
  func text(_ operation: Circulation.Operation) throws(CirculationError) -> String {
    let text = String(decoding: body.prefix(100_000), as: UTF8.self).trimmingBlanks
    guard status == 200, !isPage, text.first != "<" else { throw refusal(text, operation) }
    return text
  }

  // MARK: - What is wrong

  private func root(_ operation: Circulation.Operation) throws(CirculationError) -> WireXML {
    guard !isPage, let root = try? WireXML(parsing: body) else {
      throw refusal(String(decoding: body.prefix(4096), as: UTF8.self), operation)
    }
    if root.isNamed("error") { throw complaint(root, operation) }
    if root.isNamed("errors") {
      let said = root.all("error").compactMap(\.words).joined(separator: "; ")
      throw refusal(said, operation)
    }
    if root.isNamed("hash"), let inner = root.whole("status") {
      throw Answer(status: inner, body: []).refusal(root.words("error") ?? "", operation)
    }
    guard (200..<300).contains(status) else { throw refusal(root.words ?? "", operation) }
    return root
  }

  /// A complaint may come with a status that knows nothing of it (§2).
  private func complaint(_ error: WireXML, _ operation: Circulation.Operation)
    -> CirculationError
  {
    let said = error.words("generic") ?? error.words("detail") ?? error.words ?? ""
    if (200..<300).contains(status) {
      return Documents.failure(
        Failures.reason(said, during: operation), operation,
        says: Documents.quoted(error.words("friendly") ?? said))
    }
    return refusal(said, operation)
  }

  private func refusal(_ said: String, _ operation: Circulation.Operation) -> CirculationError {
    let reason = Failures.reason(
      status: status, said, isPage: isPage, leadsTo: location, retryAfter: retryAfter)
    return Documents.failure(
      reason, operation, says: isPage ? "HTTP \(status), a web page" : Documents.quoted(said))
  }

  /// A page for people in place of a document.
  var isPage: Bool { body.isWebPage }
}

enum Documents: DocumentReading {
  static let provider = GoodreadsProvider.listing.id

  /// Words of the service, unless they might name somebody.
  static func quoted(_ said: String) -> String? {
    let isHarmless =
      !said.isEmpty && said.utf8.count < 200 && !said.contains("@") && !said.contains("<")
    return isHarmless ? said : nil
  }
}
