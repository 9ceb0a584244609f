import Arguments
import Testing

@testable import Commands

extension Parser: CustomTestStringConvertible {
  var testDescription: String { name }

  /// With the words that an operator types, which are not chosen outside.
  static let all =
    outside + [
      Parser("arguments") { bytes in
        let words = String(decoding: bytes, as: UTF8.self).split(separator: " ").map(String.init)
        do throws(UsageError) { _ = try Program.carrel.read(words) } catch {
          #expect(!"\(error)".isEmpty)
        }
      }
    ]
}
