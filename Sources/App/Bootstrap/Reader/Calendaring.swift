import Circulation
import FrontDesk
import HTTPServer
package import Items
import Machine
import Phrasebook
import Profiles
import Registry
import Secrets
package import Setup
import Web

extension LinkedEngine {
  package func newCalendar(at seat: Seat) async throws(ErrorItem) -> CalendarKey {
    try await visit(seat) { visit throws(ErrorItem) in
      let (address, secret) = try await told { () throws(RegistryError) in
        try await visit.house.registry.newCalendar(
          of: visit.patron.id, request: House.requestID())
      }
      let front = visit.house.front
      return CalendarKey(
        item: CalendarItem(address, of: visit.patron),
        address: CalendarRoute.path(secret).revealText { Secret(front + $0) })
    }
  }

  package func calendar(at seat: Seat) async throws(ErrorItem) -> CalendarItem? {
    try await visit(seat) { visit throws(ErrorItem) in
      try await told { () throws(RegistryError) in
        try await visit.house.registry.calendar(of: visit.patron.id)
      }.map { CalendarItem($0, of: visit.patron) }
    }
  }

  package func revokeCalendar(at seat: Seat) async throws(ErrorItem) -> CalendarItem? {
    try await visit(seat) { visit throws(ErrorItem) in
      try await told { () throws(RegistryError) in
        try await visit.house.registry.revokeCalendar(
          of: visit.patron.id, request: House.requestID())
      }.map { CalendarItem($0, of: visit.patron) }
    }
  }

  package func exportCalendar(at seat: Seat) async throws(ErrorItem) -> String {
    try await visit(seat) { visit throws(ErrorItem) in
      let tongue = await visit.house.tongue(of: visit.patron.id)
      return try await tongue.speaking { () throws(ErrorItem) in
        CalendarRoute.text(try await visit.calendarEvents())
      }
    }
  }
}

extension House {
  /// Of what goes to this reader without being asked for by a page.
  fileprivate func tongue(of patron: PatronID) async -> Tongue {
    (try? await profiles.tongue(of: patron)) ?? .english
  }

  /// What a calendar program gets that came with this secret.
  func calendar(_ secret: Secret, _ request: Request) async -> CalendarAnswer {
    do throws(RegistryError) {
      let patron: PatronID
      switch try await doorkeeper.admit(calendar: secret, from: request.origin) {
      case .entered(let id): patron = id
      case .refused: return .unknown
      case .slowed(let seconds): return .slowed(seconds: seconds)
      }
      guard let reader = try await registry.patron(patron) else { return .unknown }
      do throws(ErrorItem) {
        let visit = Visit(house: self, patron: reader, seat: seat)
        let tongue = await tongue(of: patron)
        return try await tongue.speaking { () throws(ErrorItem) in
          .opened(try await visit.calendarEvents(), in: tongue)
        }
      } catch {
        return .unavailable
      }
    } catch {
      return .unavailable
    }
  }
}

extension Visit {
  /// Ends of loans, and of offers, with where a paper copy waits.
  func calendarEvents() async throws(ErrorItem) -> [CalendarEvent] {
    let names = Dictionary(
      try await accounts().map { ($0.name, house.counter.name(of: $0.library)) },
      uniquingKeysWith: { $1 })
    let loans = try await lent().compactMap { loan in
      CalendarEvent(
        key: ["due", loan.account, loan.item], said("Due: \(loan.title)"), until: loan.until,
        asOf: loan.asOf,
        told: (loan.authors, names[loan.account].map { said("On loan from \($0)") }))
    }
    let holds = try await held().map(\.item).filter { $0.status == "ready" }
    let offers = holds.compactMap { hold in
      var event = CalendarEvent(
        key: ["offer", hold.account, hold.item],
        hold.pickup == nil
          ? said("Last chance to borrow: \(hold.title)") : said("Pick up: \(hold.title)"),
        until: hold.until, asOf: hold.asOf,
        told: (hold.authors, names[hold.account].map { said("Kept ready at \($0)") }))
      event?.location = hold.pickup
      return event
    }
    return loans + offers
  }
}

extension CalendarEvent {
  /// Nil for what has no end.
  fileprivate init?(
    key: [String], _ summary: String, until: String?, asOf: String?,
    told: (authors: [String], place: String?)
  ) {
    guard let end = until.flatMap({ Timestamp(rfc3339: $0) }) else { return nil }
    self.init(
      key: key, summary: summary, when: When(end),
      heardAt: asOf.flatMap { Timestamp(rfc3339: $0) } ?? end)
    details = [
      told.authors.isEmpty ? nil : told.authors.joined(separator: ", "),
      told.place,
    ].compactMap { $0 }.joined(separator: "\n")
  }
}

extension CalendarEvent.When {
  /// What ends with the last minute of a day, where this machine stands, is meant as that day.
  fileprivate init(_ end: Timestamp) {
    let (day, second) = LocalTime.day(of: end)
    self = second >= 86_340 ? .day(CivilDate(daysSinceEpoch: day)) : .moment(end)
  }
}

extension CalendarItem {
  fileprivate init(_ address: CalendarAddress, of patron: Patron) {
    self.init(
      reader: patron.name, madeAt: Self.moment(address.madeAt),
      lastUsed: address.lastUsed.map(Self.moment))
  }

  private static func moment(_ milliseconds: Int64) -> String {
    Timestamp(millisecondsSinceEpoch: milliseconds).rfc3339()
  }
}
