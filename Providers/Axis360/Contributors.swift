import Circulation
import ProviderKit

/// People as the wire lists them: "McCain, John ; Salter, Mark (ILT)".
enum Contributors {
  static func read(_ text: String) -> [Contributor] { read(text, as: .author) }

  /// `role` is what somebody is who has no suffix.
  static func read(_ text: String, as role: Contributor.Role) -> [Contributor] {
    text.words(at: ";").compactMap { part -> Contributor? in
      var (name, role) = (part, role)
      if name.hasSuffix(")"), let open = name.lastIndex(of: "(") {
        let word = name[name.index(after: open)...].dropLast()
        if word.count == 3, word.allSatisfy(\.isLetter) {
          role = self.role(word.uppercased())
          name = String(name[..<open]).trimmingBlanks
        }
      }
      guard !name.isEmpty else { return nil }
      let spoken = PersonName.spoken(name)
      return Contributor(name: spoken, sortName: spoken == name ? nil : name, role: role)
    }
  }

  private static func role(_ suffix: String) -> Contributor.Role {
    switch suffix {
    case "INT", "FRW", "AFT": .authorOfIntroduction
    case "EDT": .editor
    case "PHT": .photographer
    case "ILT": .illustrator
    case "TRN": .translator
    case "NAR": .narrator
    case "ADP", "COR": .author
    default: .contributor
    }
  }
}
