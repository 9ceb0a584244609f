/// The one table of characters that text of others must not bring to a screen: a terminal obeys
/// them, or people do not see them and are misled.
///
/// What writing needs is not in it: the marks U+200E, U+200F and U+061C, which do no more than a
/// letter of Hebrew or Arabic does, the joiners of Persian, of Indian scripts and of emoji, soft
/// hyphens, and the selectors of variants.
package enum HiddenCharacter: Sendable, Hashable {
  /// C0, DEL and C1, line feed and tab among them.
  case control
  /// U+2028 and U+2029.
  case lineBreak
  /// Embeddings, overrides and isolates: they turn around what follows, beyond the end of a title.
  case direction
  /// Shown nowhere: tags, annotations, invisible operators and blanks without a width, and what is
  /// no character at all. Two names that differ in these look the same.
  case invisible

  package init?(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0x20..<0x7F: return nil
    case ..<0xA0: self = .control
    case ..<0x200B: return nil
    case 0x2028, 0x2029: self = .lineBreak
    case 0x202A...0x202E, 0x2066...0x2069: self = .direction
    case 0x200B, 0x2060...0x2065, 0x206A...0x206F, 0xFDD0...0xFDEF, 0xFEFF, 0xFFF9...0xFFFB,
      0x1_BCA0...0x1_BCA3, 0x1_D173...0x1_D17A, 0xE_0000...0xE_007F:
      self = .invisible
    case let value where value & 0xFFFE == 0xFFFE: self = .invisible
    default: return nil
    }
  }
}
