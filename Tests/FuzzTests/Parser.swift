import Archive
import Arguments
import Barcodes
import CSV
import Circulation
import Compression
import Downloads
import EPUB
import HTTP
import HTTPServer
import Images
import JSON
import LCP
import Markup
import OPDS
import Reading
import SIP2
import ShelfFiles
import Styles
import Testing
import XML
import Yaml

@testable import Commands
@testable import Gutenberg
@testable import LibraryDesk

/// Whatever reads what others wrote. Whatever the bytes are, it ends in a value or in a typed refusal; what
/// can be told of the value is told as well.
struct Parser: Sendable, CustomTestStringConvertible {
  let name: String
  let read: @Sendable ([UInt8]) -> Void

  var testDescription: String { name }

  init(_ name: String, _ read: @escaping @Sendable ([UInt8]) -> Void) {
    (self.name, self.read) = (name, read)
  }

  static let all: [Parser] = formats + files + wires + documents

  // MARK: - Formats

  private static let formats = [
    Parser("json") { bytes in
      for rules in [JSONRules.strict, .tolerant] {
        guard let value = try? JSONValue(parsing: bytes, by: rules) else { continue }
        // What was read can be written, and is the same again.
        #expect((try? JSONValue(parsing: value.text())) == value)
      }
    },
    Parser("csv") { bytes in
      guard var table = try? CSVTable(bytes) else { return }
      while let row = try? table.next() { _ = row["title"] }
    },
    Parser("yaml") { bytes in
      do throws(YamlError) { _ = try YamlNode(parsing: bytes) } catch {
        #expect(error.position.line >= 1 && !error.description.isEmpty)
      }
    },
    Parser("xml") { bytes in
      for options in [XMLOptions.strict, .recovering] {
        _ = try? XMLDocument(bytes, options)
        _ = try? FlatDocument(bytes, options)
      }
    },
    Parser("html") { bytes in
      _ = try? HTMLDocument(bytes)
      _ = PlainText.of(blurb: String(decoding: bytes, as: UTF8.self))
    },
    Parser("styles") { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      let list = StyleList()
      let sheet = list.rebuild(sheet: text)
      #expect(!sheet.lowercased().contains("url(h") && !sheet.contains("</"))
      // What was rebuilt stays as it is.
      #expect(list.rebuild(sheet: sheet) == sheet)
      _ = list.rebuild(declarations: text)
    },
  ]

  // MARK: - Files

  private static let files = [
    Parser("tar") { bytes in
      var reader = TarReader(memberLimit: 1 << 20)
      reader.feed(bytes)
      for _ in 0..<1000 {
        guard let step = try? reader.next(), case .member = step else { break }
      }
      _ = try? reader.finish()
    },
    Parser("epub") { bytes in
      guard let book = try? Book(bytes) else { return }
      _ = book.examine()
    },
    Parser("gzip") { bytes in
      for format in [Inflater.Format.gzip, .zlib, .gzipOrZlib, .raw] {
        let out = try? Inflater.inflate(bytes, as: format, limit: 1 << 20)
        #expect((out?.count ?? 0) <= 1 << 20)
      }
    },
    Parser("bzip2") { bytes in
      let out = try? BZip2.decompress(bytes, limit: 1 << 20)
      #expect((out?.count ?? 0) <= 1 << 20)
    },
    Parser("image") { bytes in
      _ = try? ImageHeader(reading: bytes)
      var limits = ImageLimits()
      limits.pixels = 1 << 18
      guard let picture = try? Picture(decoding: bytes, limits) else { return }
      #expect(picture.width * picture.height <= limits.pixels)
      _ = try? Barcode.read(picture)
    },
  ]

  // MARK: - What comes over wires

  private static let wires = [
    Parser("address") { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      guard let address = try? HTTP.Address(text) else { return }
      // What it says of itself leads to the same place.
      #expect((try? HTTP.Address(address.text)) == address)
      _ = try? address.resolving(text)
    },
    Parser("form") { bytes in
      let form = FormFields(parsing: bytes)
      #expect(FormFields(parsing: form.encoded) == form)
      _ = MultipartForm(bytes, boundary: "b0undary")
    },
    Parser("fields") { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      _ = (HTTPDate(text), ByteRanges(text), MediaType(parsing: text), Accept(text))
      _ = (AcceptEncoding(text), Cookies([text]), EntityTag(parsing: text))
      _ = URITemplate(text).filled(["searchTerms": "a", "q": "b"])
    },
    Parser("request") { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      let fields = lines.dropFirst().map { line in
        let pair = line.split(separator: ":", maxSplits: 1).map(String.init)
        return Headers.Field(pair.first ?? "", pair.count > 1 ? pair[1] : "")
      }
      guard let request = try? Request(.get, lines.first ?? "/", headers: Headers(fields)) else {
        return
      }
      _ = (request.path, request.query, request.cookies, request.clientAddress)
      _ = (request.absoluteLink("/"), request.cookies)
    },
    Parser("sip2") { bytes in
      guard let frame = try? Frame(reading: bytes) else { return }
      _ = (PatronRecord(frame.message), ItemRecord(frame.message), HoldAnswer(frame.message))
    },
    Parser("arguments") { bytes in
      let words = String(decoding: bytes, as: UTF8.self).split(separator: " ").map(String.init)
      do throws(UsageError) { _ = try Program.carrel.read(words) } catch {
        #expect(!"\(error)".isEmpty)
      }
    },
  ]

  // MARK: - Documents

  private static let documents = [
    Parser("opds") { bytes in
      guard let from = try? HTTP.Address("https://books.example/opds") else { return }
      for tolerance in [OPDS.Document.Tolerance.strict, .mending] {
        _ = try? OPDS.Document(bytes, type: nil, from: from, tolerance)
      }
      _ = try? PostedEntry(bytes, type: nil, from: from)
    },
    Parser("rdf") { bytes in _ = try? Record.reading(bytes) },
    Parser("sru") { bytes in
      _ = try? SRUReply.records(in: bytes, .search)
      if let json = try? JSONValue(parsing: bytes, by: .tolerant) { _ = MARCRecord(json) }
    },
    Parser("acsm") { bytes in _ = AdobeToken(bytes) },
    Parser("licence") { bytes in
      _ = try? LicenseStatus(bytes)
      do throws(LicenseRefusal) { _ = try License(bytes) } catch {
        #expect(!error.sentence.isEmpty && error.detail.unicodeScalars.count <= 200)
      }
    },
    Parser("shelf-file") { bytes in
      guard var file = try? ShelfFile(bytes) else { return }
      _ = ShelfReading(&file)
    },
    Parser("annotations") { bytes in _ = try? AnnotationImport(bytes, for: nil, now: 0) },
    Parser("place") { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      guard let place = try? CFI("epubcfi(\(text))") else { return }
      #expect((try? CFI("\(place)")) == place)
    },
    Parser("page") { bytes in
      _ = try? PageElement(bytes)
      _ = try? PageElement(bytes, isHTML: true)
    },
  ]
}
