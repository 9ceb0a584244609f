package import Barcodes
import CZBar
package import Images

extension Barcode {
  /// What was found in a picture.
  package struct Found: Sendable, Hashable {
    package let number: String
    package let kind: Kind?
  }

  package enum ReadFault: Error, Sendable, Hashable {
    /// libzbar is not installed.
    case noReader
    case outOfMemory
  }

  /// Reads the bars in a photograph; those of cards, and nothing that tickets and wrappings have.
  package static func read(
    _ photograph: borrowing Picture
  ) throws(ReadFault) -> [Found] {
    guard let zbar else { throw .noReader }
    let gray = photograph.gray
    guard let scanner = zbar.scanner_create() else { throw .outOfMemory }
    defer { unsafe zbar.scanner_destroy(scanner) }
    for (symbology, isOn) in [(Int32(0), Int32(0))] + kinds.map({ ($0.code, 1) }) {
      _ = unsafe zbar.scanner_set_config(
        scanner, symbology, Int32(CARREL_ZBAR_ENABLE), isOn)
    }
    guard let image = zbar.image_create() else { throw .outOfMemory }
    defer { unsafe zbar.image_destroy(image) }
    // "Y800": a byte a pixel.
    unsafe zbar.image_set_format(image, 0x3030_3859)
    unsafe zbar.image_set_size(image, UInt32(photograph.width), UInt32(photograph.height))
    return unsafe gray.withUnsafeBytes { bytes in
      unsafe zbar.image_set_data(image, bytes.baseAddress, UInt(bytes.count), nil)
      guard unsafe zbar.scan_image(scanner, image) > 0 else { return [] }
      var found: [Found] = []
      var symbol = unsafe zbar.image_first_symbol(image)
      while let one = unsafe symbol {
        if let read = unsafe number(of: one, zbar), !found.contains(read) { found.append(read) }
        unsafe symbol = unsafe zbar.symbol_next(one)
      }
      return found
    }
  }

  private static func number(of symbol: OpaquePointer, _ zbar: carrel_zbar) -> Found? {
    guard let start = unsafe zbar.symbol_get_data(symbol) else { return nil }
    let count = unsafe Int(zbar.symbol_get_data_length(symbol))
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: count)
    guard (1...longestRead).contains(count), unsafe bytes.allSatisfy({ (0x20...0x7E).contains($0) })
    else { return nil }
    var text = unsafe String(decoding: bytes, as: UTF8.self)
    let code = unsafe zbar.symbol_get_type(symbol)
    let kind = kinds.first { $0.code == code }?.kind
    if kind == .codabar { text = text.trimming { "ABCD".contains($0.uppercased()) } }
    return text.isEmpty ? nil : Found(number: text, kind: kind)
  }

  private static var longestRead: Int { 64 }

  private static let kinds: [(code: Int32, kind: Kind?)] = [
    (Int32(CARREL_ZBAR_CODABAR), .codabar), (Int32(CARREL_ZBAR_CODE39), .code39),
    (Int32(CARREL_ZBAR_CODE128), .code128), (Int32(CARREL_ZBAR_I25), nil),
  ]

  /// Opens the reader and all libraries that it brings along: for a process that will give up files.
  package static func openReader() { _ = zbar }

  /// Opened once, by whoever needs it first.
  private static let zbar: carrel_zbar? = {
    var zbar = carrel_zbar()
    return unsafe carrel_zbar_open(&zbar) == 1 ? zbar : nil
  }()
}

extension String {
  /// Without such signs at either end.
  fileprivate func trimming(_ isEdge: (Character) -> Bool) -> String {
    var rest = self[...]
    if let first = rest.first, isEdge(first) { rest.removeFirst() }
    if let last = rest.last, isEdge(last) { rest.removeLast() }
    return String(rest)
  }
}
