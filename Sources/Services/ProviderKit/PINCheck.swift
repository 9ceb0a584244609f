/// Whether a library looks at the PIN that is sent with a card number. Only a library that does can
/// prove who a patron is: elsewhere the number alone would sign in, with any PIN.
package enum PINCheck: Sendable, Hashable {
  /// Every PIN is accepted, or none is sent: an open catalog, a library without PINs, a family name
  /// in its place, a service for lists.
  case never
  /// Each time an account is checked.
  case always
  /// Where it refuses requests without credentials; `AccountStanding.isPINVerified` says so.
  case whenChallenged
}
