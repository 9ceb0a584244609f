import Circulation
import ProviderKit

/// What a reader typed, as a library's own catalogue is asked for it: a number, or words that all have to
/// be there.
struct DeskWords: Sendable, Hashable {
  let number: ISBN?
  let all: [String]

  /// Whoever types more knows the title, and the first words of it find it.
  private static let mostWords = 8

  init(_ text: String) {
    number = ISBN(text.trimmingBlanks)
    let words = text.split { !$0.isLetter && !$0.isNumber && $0 != "'" && $0 != "’" }
      .map { String($0.prefix(60)) }
    // A single letter is everywhere, unless there is nothing else.
    let telling = words.filter { $0.count > 1 || $0.first?.isNumber == true }
    all = Array((telling.isEmpty ? words : telling).distinct.prefix(Self.mostWords))
  }

  var isEmpty: Bool { number == nil && all.isEmpty }
}
