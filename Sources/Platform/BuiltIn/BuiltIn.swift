import CBuiltIn

/// Files of the source tree that are part of the programs, one file of C each. As tables of numbers in
/// Swift, which is how the package manager would do it, they take the compiler a minute.
package enum BuiltIn {
  package static var germanPhrases: String {
    unsafe text(carrel_phrases_de(), carrel_phrases_de_size())
  }
  package static var spanishPhrases: String {
    unsafe text(carrel_phrases_es(), carrel_phrases_es_size())
  }
  package static var genres: String { unsafe text(carrel_genres(), carrel_genres_size()) }

  package static var readerScript: String {
    unsafe text(carrel_reader_script(), carrel_reader_script_size())
  }
  package static var readerStyle: String {
    unsafe text(carrel_reader_style(), carrel_reader_style_size())
  }
  package static var pageStyle: String {
    unsafe text(carrel_page_style(), carrel_page_style_size())
  }
  package static var likeStyle: String {
    unsafe text(carrel_like_style(), carrel_like_style_size())
  }

  /// The sign of the site as PNG, of that many pixels.
  package static var icon180: [UInt8] { unsafe bytes(carrel_icon_180(), carrel_icon_180_size()) }
  package static var icon192: [UInt8] { unsafe bytes(carrel_icon_192(), carrel_icon_192_size()) }
  package static var icon512: [UInt8] { unsafe bytes(carrel_icon_512(), carrel_icon_512_size()) }

  private static func bytes(_ start: UnsafePointer<UInt8>, _ count: Int) -> [UInt8] {
    unsafe Array(UnsafeBufferPointer(start: start, count: count))
  }

  private static func text(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> String {
    unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }
}
