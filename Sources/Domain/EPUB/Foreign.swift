import Zip

/// Files that are sent in place of a book: a license or a token that an app exchanges for one.
enum Foreign {
  private static let reach = 16 << 10

  static func refusal(_ bytes: [UInt8]) -> Refusal? {
    let head = String(decoding: bytes.prefix(reach), as: UTF8.self)
    let start = head.first { !$0.isWhitespace && $0 != "\u{FEFF}" }
    if start == "{", head.contains("readium.org/lcp") {
      let from = LicenseNote(bytes)?.words ?? []
      return Refusal(.drmLCP, (["a license, not a book"] + from).joined(separator: ", "))
    }
    if start == "<", head.contains("http://ns.adobe.com/adept"), head.contains("fulfillmentToken") {
      return Refusal(.drmAdept, "a token for a book, not a book")
    }
    return nil
  }

  static func refusal(file: String) -> Refusal? {
    ZipArchive.head(of: file, reach).flatMap(refusal)
  }
}
