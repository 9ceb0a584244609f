import CZint

/// A text as a square of dots, for what a telephone is to read off a screen.
package struct QRCode: Sendable, Hashable {
  /// Row by row, dark ones true, without the blank around it.
  package let modules: [[Bool]]

  /// More needs dots too small for a telephone.
  private static let longest = 600

  /// Nil for what does not fit.
  package init?(_ text: String) {
    guard !text.isEmpty, text.utf8.count <= Self.longest,
      text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }), let symbol = unsafe ZBarcode_Create()
    else { return nil }
    defer { unsafe ZBarcode_Delete(symbol) }
    unsafe symbol.pointee.symbology = BARCODE_QRCODE
    let code = unsafe ZBarcode_Encode(symbol, text, Int32(text.utf8.count))
    let (rows, width) = unsafe (symbol.pointee.rows, symbol.pointee.width)
    guard code < ZINT_ERROR, rows == width, rows > 0 else { return nil }
    modules = unsafe (0..<rows).map { row in
      unsafe (0..<width).map { unsafe carrel_zint_module(symbol, row, $0) == 1 }
    }
  }

  /// With the blank of four that readers need on each side.
  package var side: Int { modules.count + 8 }

  /// The dark ones as one path of a picture that is `side` wide and high.
  package var path: String {
    var path = ""
    for (y, row) in modules.enumerated() {
      var x = 0
      while x < row.count {
        let end = row[x...].firstIndex { $0 != row[x] } ?? row.count
        if row[x] { path += "M\(x + 4) \(y + 4)h\(end - x)v1h-\(end - x)z" }
        x = end
      }
    }
    return path
  }
}
