/// A command about one title.
package struct ShelfOrder: Sendable, Hashable {
  package enum Verb: Sendable, Hashable {
    /// `offer` names a card, `format` is the contract's word; a dry run only looks.
    case borrow(offer: String?, format: String?, dryRun: Bool)
    case giveBack
    case renew
    /// Not wanted before a day, counted from 1970; nil for whenever it comes. On paper it waits at a
    /// branch, given by its name or its code.
    case placeHold(email: String?, notBefore: Int64?, branch: String?)
    case cancelHold
    case suspendHold(days: Int?)
    case resumeHold
    case acceptHold
    case declineHold
  }

  package let verb: Verb
  /// A work id, `ACCOUNT:ITEM`, or words of its title.
  package let title: String

  package init(_ verb: Verb, _ title: String) { (self.verb, self.title) = (verb, title) }
}
