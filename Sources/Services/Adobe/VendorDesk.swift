package import Circulation
import Crypto
import Database
package import Secrets

/// The service that Adobe's own asks when a reader signs in to one of its programs.
package struct VendorDesk: Sendable {
  /// By number and PIN: which reader of which libraries; nil for nobody, or who has to wait.
  package typealias Door =
    @Sendable (_ name: Secret, _ word: Secret) async -> (PatronID, [LibraryID])?

  private let desk: AdobeDesk
  private let node: [UInt8]
  /// What was wrong with a token, in a word.
  private let note: @Sendable (String) -> Void

  /// Nil where another gateway is the vendor.
  package init?(_ desk: AdobeDesk, note: @escaping @Sendable (String) -> Void) {
    guard let node = desk.vendor.node else { return nil }
    (self.desk, self.node, self.note) = (desk, node, note)
  }

  package static let type = "application/vnd.adobe.adept+xml"
  package static var longest: Int { VendorRequest.longest }

  // MARK: - Signing in

  package func signIn(_ body: [UInt8], _ door: Door) async -> [UInt8] {
    do throws(DatabaseError) {
      switch VendorRequest(body) {
      case .standard(let name, let word):
        return try await standard(name, word, door).map(signedIn) ?? refused
      case .token(let data): return try await token(data).map(signedIn) ?? refused
      case .account, nil: return error(.auth, "This is no request to sign in.")
      }
    } catch {
      return self.error(.auth, "Nobody can sign in just now. Try again later.")
    }
  }

  /// Without a password the name may be a token; with one the two may be its halves, and else are a
  /// card's number and PIN.
  private func standard(
    _ name: String, _ word: String, _ door: Door
  ) async throws(DatabaseError) -> String? {
    guard !word.isEmpty else { return try await token(name) }
    if name.contains("|"),
      let found = read({ () throws(ClientToken.Fault) in
        try ClientToken.read(name: name, signature: word, now: desk.now(), secret: secret)
      })
    {
      return try await activation(found.library, found.reader)
    }
    guard let (patron, libraries) = await door(Secret(name), Secret(word)),
      let library = libraries.first(where: { desk.vendor.members[$0] != nil })
    else { return nil }
    return try await desk.activation(
      of: try await desk.anonymous(patron, library), at: library, node: node)
  }

  /// As it is, or wrapped in base64 once or twice.
  private func token(_ data: String) async throws(DatabaseError) -> String? {
    var text = data.filter { !$0.isWhitespace || $0 == " " }.trimmed
    for _ in 0..<3 {
      if let found = WebToken(text, now: desk.now(), secret: secret) {
        return try await activation(found.library, found.reader)
      }
      if text.contains("|") {
        let found = read({ () throws(ClientToken.Fault) in
          try ClientToken.read(text, now: desk.now(), secret: secret)
        })
        guard let found else { return nil }
        return try await activation(found.library, found.reader)
      }
      guard let bytes = try? Base64.decodeTolerantly(text), !bytes.isEmpty else { return nil }
      text = String(decoding: bytes, as: UTF8.self).trimmed
    }
    return nil
  }

  private func read(
    _ body: () throws(ClientToken.Fault) -> ClientToken
  ) -> ClientToken? {
    do throws(ClientToken.Fault) { return try body() } catch {
      note(error.rawValue)
      return nil
    }
  }

  private func secret(_ library: String) -> Secret? { desk.vendor.member(named: library)?.1.secret }

  private func activation(
    _ library: String, _ reader: String
  ) async throws(DatabaseError) -> String? {
    guard let (id, _) = desk.vendor.member(named: library) else { return nil }
    return try await desk.activation(of: reader, at: id, node: node)
  }

  // MARK: - Accounts

  package func account(_ body: [UInt8]) async -> [UInt8] {
    guard case .account(let user) = VendorRequest(body) else {
      return error(.account, "This is no question about an account.")
    }
    let prefix = "urn:uuid:"
    let id = user.lowercased().hasPrefix(prefix) ? String(user.dropFirst(prefix.count)) : user
    do throws(DatabaseError) {
      guard try await desk.isActivation(id.lowercased()) else {
        return error(.account, "There is no such account.")
      }
      return VendorAnswer.account(Self.label(id.lowercased()))
    } catch {
      return self.error(.account, "Nothing can be looked up just now. Try again later.")
    }
  }

  // MARK: - Words

  private func signedIn(_ id: String) -> [UInt8] { VendorAnswer.signIn(id, Self.label(id)) }

  private static func label(_ id: String) -> String { "Delegated account ID \(id)" }

  private var refused: [UInt8] { error(.auth, "Incorrect barcode or PIN.") }

  private func error(_ kind: VendorAnswer.Kind, _ words: String) -> [UInt8] {
    VendorAnswer.error(desk.vendor.name, kind, words)
  }
}
