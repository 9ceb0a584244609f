/// Whether card and password belong together, as the library's side says.
package enum SignIn: Sendable, Hashable {
  case welcome(PatronRecord)
  /// The card is not known or the password is wrong: readers hear the same of both. Nothing else of
  /// the answer is in it.
  case wrongCredentials
  /// The library's side did not check the password: how it is set up, and no fault of the reader's.
  case passwordNotChecked

  /// Of an answer about a patron. A missing word on the password is not a yes, and of a password that
  /// is wrong some systems set nearly all flags: it is looked at before them.
  package init(_ message: Message, asking password: PasswordRule, in dialect: Dialect = Dialect()) {
    guard message.flag(.validPatron) == true else {
      self = .wrongCredentials
      return
    }
    switch (password, message.flag(.validPassword)) {
    case (.none, _), (.required, true?): self = .welcome(PatronRecord(message, in: dialect))
    case (.required, false?): self = .wrongCredentials
    case (.required, nil): self = .passwordNotChecked
    }
  }

  /// What a library asks its readers for.
  package enum PasswordRule: String, Sendable, Hashable, CaseIterable {
    case required, none
  }
}
