import Circulation
import HTTP
import OPDS

/// What a way turns into, step by step, down to what is read (§2.3).
enum Containers {
  /// Nil for what only the vendor's own app opens: no reading app can make anything of it.
  static func path(to format: Format) -> [MediaType]? {
    guard format.content != .paper else { return nil }
    let content = type(of: format.content)
    switch format.protection {
    case .none: return [content]
    case .adobe: return [Types.adobe, content]
    case .lcp: return [Types.licence, content]
    case .streaming:
      return [
        MediaType(
          "text", "html",
          [
            .init(
              "profile", "http://librarysimplified.org/terms/profiles/streaming-media")
          ])
      ]
    case .vendorApp, .unknown: return nil
    }
  }

  static func steps(to formats: [Format]) -> [Acquisition.Indirection] {
    var steps: [Acquisition.Indirection] = []
    for path in formats.compactMap(path) {
      guard let first = path.first else { continue }
      let inner = path.dropFirst().map { Acquisition.Indirection($0) }
      if let known = steps.firstIndex(where: { $0.type == first }) {
        steps[known].children += inner.filter { !steps[known].children.contains($0) }
      } else {
        steps.append(Acquisition.Indirection(first, inner))
      }
    }
    return steps
  }

  /// Names the format in an address, with the suffix that apps go by (§7).
  static func fileName(of format: Format) -> String {
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in format.id.utf8 { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return "\(String(sum, radix: 36)).\(suffix(of: format))"
  }

  static func suffix(of format: Format) -> String {
    switch format.protection {
    case .adobe: return "acsm"
    case .lcp: return "lcpl"
    case .streaming: return "html"
    case .none, .vendorApp, .unknown: break
    }
    return switch format.content {
    case .epub: "epub"
    case .pdf: "pdf"
    case .audiobook: "audiobook"
    case .comic: "cbz"
    case .kindle: "azw3"
    case .html: "html"
    case .text: "txt"
    case .mobi: "mobi"
    case .video: "mp4"
    case .music: "mp3"
    case .other, .paper: "bin"
    }
  }

  private static func type(of content: Format.Content) -> MediaType {
    switch content {
    case .epub: .epub
    case .pdf: MediaType("application", "pdf")
    case .audiobook: MediaType("application", "audiobook+json")
    case .comic: MediaType("application", "vnd.comicbook+zip")
    case .kindle: MediaType("application", "vnd.amazon.ebook")
    case .html: MediaType("text", "html")
    case .text: MediaType("text", "plain")
    case .mobi: MediaType("application", "x-mobipocket-ebook")
    case .video: MediaType("video", "mp4")
    case .music: MediaType("audio", "mpeg")
    case .other, .paper: .bytes
    }
  }
}
