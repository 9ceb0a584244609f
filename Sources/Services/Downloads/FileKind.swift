import Circulation

/// What a file turned out to be, by its own bytes.
package enum FileKind: String, Sendable, Hashable, CaseIterable {
  case epub, pdf, mobi, html, text
  case mp3, mp4audio, ogg, flac
  case comicZip = "comic_zip"
  case comicRar = "comic_rar"
  case mp4video, matroska, zip
  /// A token that Adobe's programs exchange for the book.
  case adobeToken = "adobe_token"
  case lcpLicence = "lcp_licence"
  /// A licence of a vendor's own.
  case licence
  /// The parts of an audiobook, by name.
  case manifest
  case other

  package var mediaType: String {
    switch self {
    case .epub: "application/epub+zip"
    case .pdf: "application/pdf"
    case .mobi: "application/x-mobipocket-ebook"
    case .html: "text/html"
    case .text: "text/plain"
    case .mp3: "audio/mpeg"
    case .mp4audio: "audio/mp4"
    case .ogg: "audio/ogg"
    case .flac: "audio/flac"
    case .comicZip: "application/vnd.comicbook+zip"
    case .comicRar: "application/vnd.comicbook-rar"
    case .mp4video: "video/mp4"
    case .matroska: "video/x-matroska"
    case .zip: "application/zip"
    case .adobeToken: "application/vnd.adobe.adept+xml"
    case .lcpLicence: "application/vnd.readium.lcp.license.v1.0+json"
    case .manifest: "application/audiobook+json"
    case .licence, .other: "application/octet-stream"
    }
  }

  package var suffix: String {
    switch self {
    case .epub: ".epub"
    case .pdf: ".pdf"
    case .mobi: ".mobi"
    case .html: ".html"
    case .text: ".txt"
    case .mp3: ".mp3"
    case .mp4audio: ".m4b"
    case .ogg: ".ogg"
    case .flac: ".flac"
    case .comicZip: ".cbz"
    case .comicRar: ".cbr"
    case .mp4video: ".mp4"
    case .matroska: ".mkv"
    case .zip: ".zip"
    case .adobeToken: ".acsm"
    case .lcpLicence: ".lcpl"
    case .manifest: ".json"
    case .licence, .other: ".bin"
    }
  }

  /// The program that opens it, for what is not opened here. It is handed on as it came: nothing is
  /// ever taken off it.
  package var reader: String? {
    switch self {
    case .adobeToken: Format.Protection.adobe.opener
    case .lcpLicence: Format.Protection.lcp.opener
    case .licence: "the vendor's own app"
    default: nil
    }
  }
}
