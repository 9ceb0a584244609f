import Circulation
import HTTP
import HTTPClient
import ProviderKit
import Secrets

/// A state library's check in XML (§7 of the reference): card and password in, a yes or a no out.
/// It knows neither holds nor fines.
struct Kansas: Sendable {
  let address: Address
  let session: Session

  init(_ library: Library, _ session: Session) throws(SettingsFault) {
    address = try library.endpoint("kansas")
    self.session = session
  }

  func prove(
    _ slip: Slip, _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> DeskReader {
    guard let pin = slip.pin else { throw Failures.wrongCard(operation) }
    let body =
      "<AuthorizeRequest><UserID>\(Self.escaped(slip.card))</UserID>"
      + "<Password>\(Self.escaped(pin.revealText { $0 }))</Password></AuthorizeRequest>"
    var request = WireRequest(
      .post, address, headers: ["Content-Type": "application/xml; charset=utf-8"],
      body: Array(body.utf8))
    (request.isRepeatable, request.bodyLimit) = (false, 1 << 16)
    let reply = try await session.send(request, operation, in: call)
    guard reply.status.code == 200 else {
      throw Failures.failure(
        Failures.reason(ofStatus: reply.status.code, retryAfter: reply.retryAfter), operation,
        says: "HTTP \(reply.status.code)")
    }
    guard let answer = KansasAnswer(reply.body) else {
      throw Failures.malformed("a yes or a no", operation)
    }
    guard answer.isAuthorized else { throw Failures.wrongCard(operation) }
    var reader = DeskReader(id: slip.card, card: slip.card)
    (reader.name, reader.home) = (answer.name, answer.library)
    return reader
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}

struct KansasAnswer: Sendable, Hashable {
  /// Only a 1 is a yes; without a word it is a no.
  let isAuthorized: Bool
  let library: String?
  let name: String?

  /// Nil for another document.
  init?(_ body: [UInt8]) {
    guard let root = try? WireXML(parsing: body), root.isNamed("AuthorizeResponse") else {
      return nil
    }
    isAuthorized = root.all("Status").count == 1 && root.words("Status") == "1"
    library = root.words("LibraryID")
    let names = [root.words("FirstName"), root.words("LastName")].compactMap(\.self)
    name = names.isEmpty ? nil : names.joined(separator: " ")
  }
}
