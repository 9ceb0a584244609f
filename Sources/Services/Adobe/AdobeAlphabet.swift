import Crypto

/// Base64 for Adobe's programs, which spoil three of its letters on their way.
package enum AdobeAlphabet {
  package static func encode(_ bytes: [UInt8]) -> String {
    String(Base64.standard.encode(bytes).map { swaps[$0] ?? $0 })
  }

  /// Nil for what is no such text; the ordinary letters count as well.
  package static func decode(_ text: String) -> [UInt8]? {
    try? Base64.standard.decode(String(text.map { back[$0] ?? $0 }))
  }

  private static let swaps: [Character: Character] = ["+": ":", "/": ";", "=": "@"]
  private static let back: [Character: Character] = [":": "+", ";": "/", "@": "="]
}
