import JSON
package import Machine

/// How a licence stands with its lender, who may be asked at any time: the status document.
package struct LicenseStatus: Sendable, Hashable {
  package enum State: String, Sendable, Hashable, CaseIterable {
    case ready, active, revoked, returned, cancelled, expired

    /// A book is read only in the first two.
    package var mayRead: Bool { self == .ready || self == .active }
  }

  package let id: String
  package let state: State
  package let message: String?
  /// When the licence was last changed, and when its state was.
  package let licenseUpdated: Timestamp?
  package let statusUpdated: Timestamp?
  package let links: [LicenseLink]
  /// Until when it may be renewed at most.
  package let potentialEnd: Timestamp?

  package static let mediaType = "application/vnd.readium.license.status.v1.0+json"

  package init(_ bytes: [UInt8]) throws(LicenseRefusal) {
    let json: JSONValue
    do throws(JSONError) { json = try JSONValue(parsing: bytes, by: License.rules) } catch {
      throw LicenseRefusal(.notALicense, error.reason.sentence)
    }
    let reading = MemberReading(json)
    let missing = ["id", "status"].filter { reading.value($0) == nil }
    guard missing.isEmpty else {
      throw LicenseRefusal(.memberMissing, missing.joined(separator: ", "))
    }
    id = try reading.text("id")
    guard let state = State(rawValue: try reading.text("status")) else {
      throw LicenseRefusal(.memberMalformed, "status")
    }
    self.state = state
    message = json["message"]?.string
    licenseUpdated = try reading.ifPresent("updated.license") { path throws(LicenseRefusal) in
      try reading.time(path)
    }
    statusUpdated = try reading.ifPresent("updated.status") { path throws(LicenseRefusal) in
      try reading.time(path)
    }
    potentialEnd = try reading.ifPresent("potential_rights.end") { path throws(LicenseRefusal) in
      try reading.time(path)
    }
    links = json["links"] == nil ? [] : try LicenseLink.all(json["links"])
  }

  package func link(_ relation: String) -> LicenseLink? { links.first(relation) }

  /// Whether the lender has a newer licence than this one.
  package func hasNewer(than license: License) -> Bool {
    licenseUpdated.map { $0 > license.latest } ?? false
  }
}

/// What a lender answers in place of a status: the last words of a problem's type.
package enum LicenseProblem: String, Sendable, Hashable, CaseIterable {
  case registration
  case returning = "return"
  case alreadyReturned = "return/already"
  case returnExpired = "return/expired"
  case renew
  case renewDate = "renew/date"
  case server

  package static let prefix = "http://readium.org/license-status-document/error/"

  package init?(type: String) {
    let secure = Self.prefix.replacing("http:", with: "https:")
    guard type.hasPrefix(Self.prefix) || type.hasPrefix(secure) else { return nil }
    let word = type.drop { $0 != ":" }.dropFirst(Self.prefix.count - "http".count)
    self.init(rawValue: String(word))
  }

  /// Whether the loan is over, whatever was asked.
  package var isOver: Bool { self == .alreadyReturned || self == .returnExpired }

  package var sentence: String {
    switch self {
    case .registration: "The lender does not register this device for the book."
    case .returning: "The lender does not take the book back."
    case .alreadyReturned: "The book was returned before."
    case .returnExpired: "The loan had ended by itself before."
    case .renew: "The lender does not renew this loan."
    case .renewDate: "The lender does not renew the loan to that day."
    case .server: "The lender's server failed."
    }
  }
}
