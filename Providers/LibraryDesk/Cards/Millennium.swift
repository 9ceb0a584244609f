import Circulation
import Crypto
import HTTP
import HTTPClient
import ProviderKit
import Secrets

/// The patron API of Millennium and Sierra: two questions, answered in half of a web page (§3 of
/// the reference). It proves cards and tells how they stand; it keeps no holds.
struct Millennium: Sendable {
  /// Where it begins: `https://ils.example:54620/PATRONAPI`.
  let root: Address
  let desk: Settings
  let session: Session
  /// How the PIN travels. In an address it stands in the logs of everything on the way, so the form
  /// is to be preferred where the site has it.
  let postsPIN: Bool
  /// Marks of a block that mean nothing here.
  let harmless: Set<String>

  static let needs: [ProviderListing.Field] = [
    Settings.field("millennium_pin_by", "How Millennium takes a PIN: post or get"),
    Settings.field("millennium_harmless", "Block codes of Millennium that block nothing"),
  ]

  init(_ library: Library, _ settings: Settings, _ session: Session) throws(SettingsFault) {
    root = try library.endpoint("patron_api")
    (desk, self.session) = (settings, session)
    switch library.settings["millennium_pin_by"] {
    case nil, "post": postsPIN = true
    case "get": postsPIN = false
    default: throw SettingsFault(library.id, "millennium_pin_by", "is neither post nor get")
    }
    harmless = Set((library.settings["millennium_harmless"] ?? "").words(at: ","))
  }

  func prove(
    _ slip: Slip, _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> DeskReader {
    switch (desk.rules.proof, slip.pin) {
    case (.pin, let pin?):
      guard try await isRight(pin, for: slip.card, operation, in: call) else {
        throw Failures.wrongCard(operation)
      }
    case (.pin, nil), (.familyName, nil): throw Failures.wrongCard(operation)
    case (.familyName, _), (.none, _): break
    }
    let dump = try await dump(of: slip.card, operation, in: call)
    if desk.rules.proof == .familyName {
      guard let name = slip.pin?.revealText({ $0 }), let own = dump.familyName,
        own.lowercased() == name.trimmingBlanks.lowercased()
      else { throw Failures.wrongCard(operation) }
    }
    guard let reader = dump.reader(signedInBy: slip.card, harmless: harmless) else {
      throw Failures.malformed("a record number or a barcode", operation)
    }
    return reader
  }

  private func isRight(
    _ pin: Secret, for card: String, _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> Bool {
    var request: WireRequest
    if postsPIN {
      request = .form(
        root.appending(segment: "pintest"),
        [("number", card), ("pin", pin.revealText { $0 })])
    } else {
      let address = root.appending(segment: card)
        .appending(segment: pin.revealText { $0 }).appending(segment: "pintest")
      request = WireRequest(.get, address)
    }
    // Wrong ones are counted: a try that failed on the way is not made again.
    request.isRepeatable = false
    switch PINTest(try await page(request, operation, in: call)) {
    case .right: return true
    case .wrong: return false
    case .unclear: throw Failures.malformed("a test of a PIN", operation)
    }
  }

  private func dump(
    of card: String, _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> PatronDump {
    let request = WireRequest(.get, root.appending(segment: card).appending(segment: "dump"))
    let page = try await page(request, operation, in: call)
    if PINTest.isUnknownCard(page) { throw Failures.wrongCard(operation) }
    guard let dump = PatronDump(page) else { throw Failures.malformed("a patron", operation) }
    return dump
  }

  /// A page of labelled lines; other pages are not read.
  private func page(
    _ request: WireRequest, _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> String {
    var request = request
    request.bodyLimit = 1 << 20
    request.shownPath = "patron"
    let reply = try await session.send(request, operation, in: call)
    guard reply.status.code == 200 else {
      throw Failures.failure(
        Failures.reason(ofStatus: reply.status.code, retryAfter: reply.retryAfter), operation,
        says: "HTTP \(reply.status.code)")
    }
    // Older sites write Latin-1 and say nothing of it.
    return String(validating: reply.body, as: UTF8.self)
      ?? String(String.UnicodeScalarView(reply.body.map { Unicode.Scalar($0) }))
  }
}
