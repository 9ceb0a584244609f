/// Who may read a volume, by its code: the table of §2. `usRightsString` is never asked, since it
/// answers for one country only.
enum Reach: Sendable, Hashable {
  case everywhere, onlyUnitedStates, notUnitedStates, nowhere

  init(code: String) {
    switch code.lowercased() {
    case "pd", "ic-world", "und-world", "cc-zero": self = .everywhere
    case "pdus": self = .onlyUnitedStates
    case "icus": self = .notUnitedStates
    // With their versions, and in older data without.
    case let code where code.hasPrefix("cc-by"): self = .everywhere
    default: self = .nowhere
    }
  }

  func covers(_ country: Country) -> Bool {
    switch (self, country) {
    case (.everywhere, _), (.onlyUnitedStates, .unitedStates), (.notUnitedStates, .elsewhere): true
    default: false
    }
  }
}
