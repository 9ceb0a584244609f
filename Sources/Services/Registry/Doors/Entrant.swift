package import Circulation

/// Who came in at a door, and what for.
package struct Entrant: Sendable, Hashable {
  package enum Key: Sendable, Hashable {
    /// The card and PIN of this account.
    case card(AccountID)
    case device(String)
  }

  package let patron: Patron
  package let key: Key
  package let scopes: Set<Device.Scope>
  package let manner: Device.Manner

  package init(
    patron: Patron, key: Key, scopes: Set<Device.Scope>, manner: Device.Manner = .told
  ) {
    (self.patron, self.key, self.scopes, self.manner) = (patron, key, scopes, manner)
  }
}

/// What a door keeper says. A refusal does not tell whether the name or the word was wrong.
package enum DoorAnswer: Sendable, Hashable {
  case entered(Entrant)
  case refused
  /// Too many wrong words lately, for this name or from there.
  case slowed(seconds: Int)
}

/// What a door keeper says to a calendar's address.
package enum CalendarDoorAnswer: Sendable, Hashable {
  case entered(PatronID)
  case refused
  /// Too many wrong words lately, from there.
  case slowed(seconds: Int)
}
