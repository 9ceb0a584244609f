import Circulation
import FoundationEssentials
package import Items
import Registry
package import Setup

/// Browsers that are signed in, from the terminal.
extension LinkedEngine {
  package func sessions(at seat: Seat) async throws(ErrorItem) -> [SessionItem] {
    try await visit(seat) { visit throws(ErrorItem) in try await visit.sessions() }
  }

  package func endSessions(
    _ id: String?, revokingAppPasswords: Bool, at seat: Seat
  ) async throws(ErrorItem) -> [SessionItem] {
    try await visit(seat) { visit throws(ErrorItem) in
      let open = try await visit.sessions()
      let (registry, patron) = (visit.house.registry, visit.patron.id)
      let request = House.requestID()
      if let id {
        guard let session = open.first(where: { $0.id == id }) else {
          throw ErrorItem("unknown_session", detail: id)
        }
        try await told { () throws(RegistryError) in
          _ = try await registry.endSession(
            id, of: patron, by: House.commandLine, request: request)
        }
        return [session]
      }
      try await told { () throws(RegistryError) in
        _ = try await registry.endSessions(
          of: patron, also: revokingAppPasswords ? [.appPasswords] : [], by: House.commandLine,
          request: request)
      }
      return open
    }
  }
}

extension Visit {
  fileprivate func sessions() async throws(ErrorItem) -> [SessionItem] {
    try await told { () throws(RegistryError) in
      try await house.registry.sessions(of: patron.id)
    }.map { SessionItem($0, of: patron) }
  }
}

extension SessionItem {
  fileprivate init(_ session: PatronSession, of patron: Patron) {
    let kind =
      switch session.origin {
      case .card: "card"
      case .appPassword: "app-password"
      case .link: "link"
      }
    self.init(
      id: session.id, patron: patron.name, signedInWith: kind, agent: session.agent,
      madeAt: Self.moment(session.madeAt), lastSeen: session.lastSeen.map(Self.moment),
      until: Self.moment(session.until))
  }

  private static func moment(_ milliseconds: Int64) -> String {
    Date(milliseconds: milliseconds).rfc3339
  }
}
