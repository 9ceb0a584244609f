// What cataloguers put between the parts of a record, so that they read as one text on a card.
extension String {
  /// Without the mark that leads on to the next part, or the point at the end of all of them. One
  /// before another mark, behind initials or behind dots is the text's own.
  package var withoutLeadingMark: String {
    let whole = trimmingBlanks
    var text = whole
    while let last = text.last, ",/:;=".contains(last) {
      text = String(text.dropLast()).trimmingBlanks
    }
    guard text == whole, text.last == ".", !text.hasSuffix("..") else { return text }
    let word = text.dropLast().split(separator: " ").last ?? ""
    return word.count < 2 || word.contains(".") ? text : String(text.dropLast())
  }
}
