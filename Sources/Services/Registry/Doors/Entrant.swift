package import Circulation
package import Secrets

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
  /// What ends with it: answers that take long are broken off.
  package let basis: SignInBasis

  package init(
    patron: Patron, key: Key, scopes: Set<Device.Scope>, manner: Device.Manner = .told,
    basis: SignInBasis
  ) {
    (self.patron, self.key, self.scopes, self.manner) = (patron, key, scopes, manner)
    self.basis = basis
  }
}

/// What a door keeper says. A refusal does not tell whether the name or the word was wrong.
package enum DoorAnswer: Sendable, Hashable {
  case entered(Entrant)
  case refused
  /// The card and the PIN are right, at more than one library: which one is meant has to be said. Which
  /// they are is not told, since that would tell one patron of another.
  case needsLibrary
  /// Too many wrong words lately, for this name or from there.
  case slowed(seconds: Int)
  /// The library that knows cannot be asked. That is no word against the card: an app that took it for
  /// one would throw the card away.
  case unreachable(LibrarySilence)
  /// Too many sign in from there at this moment. Nothing was wrong: it is tried again in a second.
  case busy
}

/// A library that was asked at the door and gave no answer that can be used.
package struct LibrarySilence: Error, Sendable, Hashable {
  package let library: String
  package let isLate: Bool

  package init(_ library: String, isLate: Bool) { (self.library, self.isLate) = (library, isLate) }
}

/// Somebody with a card that no account here is of.
package struct Knock: Sendable {
  package let card: Secret
  package let pin: Secret
  /// Where more than one library might know the card: whose it is.
  package var library: LibraryID?
  package var keepsPIN: Bool
  /// Only these are asked.
  package let scope: SignInScope

  package init(
    card: Secret, pin: Secret, library: LibraryID? = nil, keepsPIN: Bool = false,
    scope: SignInScope = .all
  ) {
    (self.card, self.pin, self.library) = (card, pin, library)
    (self.keepsPIN, self.scope) = (keepsPIN, scope)
  }
}

/// What a door keeper says to a calendar's address.
package enum CalendarDoorAnswer: Sendable, Hashable {
  case entered(PatronID)
  case refused
  /// Too many wrong words lately, from there.
  case slowed(seconds: Int)
}
