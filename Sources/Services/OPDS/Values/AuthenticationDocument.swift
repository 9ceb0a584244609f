/// How a reader signs in, as a catalogue tells it (§5).
package struct AuthenticationDocument: Sendable, Hashable {
  package var id: String
  package var title: String
  package var description: String?
  package var links: [Link]
  package var flows: [Flow]

  package init(id: String, title: String, flows: [Flow]) {
    (self.id, self.title, self.flows, links) = (id, title, flows, [])
  }

  package struct Flow: Sendable, Hashable {
    package var type: Kind
    package var description: String?
    package var links: [Link]
    /// What the two fields are called; nil where the usual words do.
    package var loginLabel: String?
    package var passwordLabel: String?
    package var login: Input?
    package var password: Input?

    package init(_ type: Kind) { (self.type, links) = (type, []) }
  }

  /// What may be typed into a field (Palace).
  package struct Input: Sendable, Hashable {
    package var keyboard: String?
    package var maximumLength: Int?
    package var barcodeFormat: String?

    package init(keyboard: String?, maximumLength: Int?, barcodeFormat: String?) {
      (self.keyboard, self.maximumLength) = (keyboard, maximumLength)
      self.barcodeFormat = barcodeFormat
    }

    /// Palace's word for "there is none".
    package var isAbsent: Bool { keyboard?.lowercased() == "no input" }
  }

  package enum Kind: Sendable, Hashable {
    case basic, oauthPassword, oauthImplicit, digest, local, apiApp, basicToken
    case oauthIntermediary, saml, openID
    case other(String)

    package init(_ text: String) {
      self = Self.names.first { $0.name == text }?.kind ?? .other(text)
    }

    package var name: String {
      if case .other(let name) = self { return name }
      return Self.names.first { $0.kind == self }?.name ?? ""
    }

    private static let names: [(kind: Kind, name: String)] = [
      (.basic, "http://opds-spec.org/auth/basic"),
      (.oauthPassword, "http://opds-spec.org/auth/oauth/password"),
      (.oauthImplicit, "http://opds-spec.org/auth/oauth/implicit"),
      (.digest, "http://opds-spec.org/auth/digest"),
      (.local, "http://opds-spec.org/auth/local"),
      (.apiApp, "http://opds-spec.org/auth/oauth/password/apiapp"),
      (.basicToken, "http://thepalaceproject.org/authtype/basic-token"),
      (.oauthIntermediary, "http://librarysimplified.org/authtype/OAuth-with-intermediary"),
      (.saml, "http://librarysimplified.org/authtype/SAML-2.0"),
      (.openID, "http://palaceproject.io/authtype/OpenIDConnect"),
    ]
  }
}
