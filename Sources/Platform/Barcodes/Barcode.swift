import CZint

/// A number as bars, as it stands on a library card.
package struct Barcode: Sendable, Hashable {
  /// What the scanners at circulation desks know.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    case codabar, code39, code128

    /// What a number is printed in where nobody says: cards of fourteen digits are Codabar nearly
    /// everywhere, and anything else can be told in Code 128.
    package static func usual(for number: String) -> Kind {
      number.utf8.count == 14 && number.utf8.allSatisfy { (0x30...0x39).contains($0) }
        ? .codabar : .code128
    }
  }

  /// One for each unit of width, dark ones true, without the blank before and after.
  package let bars: [Bool]

  /// Longer ones fit on no screen.
  private static let longest = 48

  /// Nil for what the kind has no signs for.
  package init?(_ number: String, _ kind: Kind) {
    guard !number.isEmpty, number.utf8.count <= Self.longest,
      number.utf8.allSatisfy({ (0x20...0x7E).contains($0) }),
      let symbol = unsafe ZBarcode_Create()
    else { return nil }
    defer { unsafe ZBarcode_Delete(symbol) }
    let text: String
    switch kind {
    case .codabar:
      unsafe symbol.pointee.symbology = BARCODE_CODABAR
      // The signs around it belong to the kind; scanners leave them out.
      text = "A\(number)B"
    case .code39:
      unsafe symbol.pointee.symbology = BARCODE_CODE39
      text = number.uppercased()
    case .code128:
      unsafe symbol.pointee.symbology = BARCODE_CODE128
      text = number
    }
    let code = unsafe ZBarcode_Encode(symbol, text, Int32(text.utf8.count))
    guard code < ZINT_ERROR, unsafe symbol.pointee.rows == 1 else { return nil }
    var bars = unsafe (0..<symbol.pointee.width).map { unsafe carrel_zint_bar(symbol, $0) == 1 }
    // Codabar ends with the gap before a sign that does not come.
    while bars.last == false { bars.removeLast() }
    self.bars = bars
  }

  /// As a picture that is sharp at any size, with the blank that scanners need at both ends.
  package var svg: String {
    let (quiet, height) = (10, 40)
    var paths = ""
    var place = 0
    while place < bars.count {
      let end = bars[place...].firstIndex { $0 != bars[place] } ?? bars.count
      if bars[place] { paths += "M\(quiet + place) 0h\(end - place)v\(height)h-\(end - place)z" }
      place = end
    }
    let width = bars.count + 2 * quiet
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" \
      preserveAspectRatio="none" shape-rendering="crispEdges">\
      <rect width="\(width)" height="\(height)" fill="#fff"/><path d="\(paths)"/></svg>
      """
  }
}
