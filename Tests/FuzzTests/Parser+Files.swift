import Archive
import BarcodeReading
import Barcodes
import Crypto
import Database
import Images
import Pictures
import Zip

@testable import Compression
@testable import Safekeeping

extension Parser {
  static let files = [
    Parser("tar") { bytes in
      var reader = TarReader(memberLimit: 1 << 20)
      reader.feed(bytes)
      for _ in 0..<1000 {
        guard let step = try? reader.next(), case .member = step else { break }
      }
      _ = try? reader.finish()
    },
    Parser("zip") { bytes in
      guard let archive = try? ZipArchive(bytes) else { return }
      for entry in archive.entries.prefix(16) {
        let content = try? archive.read(entry, upTo: 1 << 20)
        precondition((content?.count ?? 0) <= 1 << 20)
        precondition(archive.entry(named: entry.name) != nil)
      }
    },
    Parser("gzip") { bytes in
      for format in [Inflater.Format.gzip, .zlib, .gzipOrZlib, .raw] {
        let out = try? Inflater.inflate(bytes, as: format, limit: 1 << 20)
        precondition((out?.count ?? 0) <= 1 << 20)
      }
    },
    Parser("bzip2") { bytes in
      let out = try? BZip2.decompress(bytes, limit: 1 << 20)
      precondition((out?.count ?? 0) <= 1 << 20)
      checkBlocks(bytes, out)
    },
    Parser("image") { bytes in
      _ = try? ImageHeader(reading: bytes)
      var limits = ImageLimits()
      limits.pixels = 1 << 18
      guard let picture = try? Picture(decoding: bytes, limits) else { return }
      precondition(picture.width * picture.height <= limits.pixels)
      _ = try? Barcode.read(picture)
    },
    Parser("picture-order") { bytes in
      if let order = PictureOrder(decoding: bytes) {
        precondition(PictureOrder(decoding: order.encoded) == order)
      }
      if let answer = PictureAnswer(decoding: bytes) {
        precondition(PictureAnswer(decoding: answer.encoded) == answer)
      }
    },
    Parser("certificate") { bytes in
      if let certificate = try? Certificate(der: bytes) {
        _ = certificate.standing(under: certificate, at: 0)
        _ = certificate.keyKind
      }
      _ = try? RevocationList(bytes)
    },
    Parser("backup") { bytes in
      if let manifest = try? BackupManifest(bytes) { _ = manifest.tables.count }
      let kinds: [Kind] = [.integer, .text, .text, .blob, .real, .real]
      let columns = kinds.map { BackupManifest.Column(name: "a", kind: $0) }
      _ = RowLine.values(bytes[...], columns)
    },
  ]
}

/// The segments between marks are the file again, however it arrives, and each block is one or none.
private func checkBlocks(_ bytes: [UInt8], _ whole: [UInt8]?) {
  var scanner = BlockScanner()
  let size = 1 + Int(bytes.last ?? 0)
  var (rest, bits, out) = (bytes[...], 0, [UInt8]())
  var isWhole = true
  while true {
    guard let segment = try? scanner.next() else {
      scanner.feed(Array(rest.prefix(size)))
      rest = rest.dropFirst(size)
      continue
    }
    precondition(segment.skipped == bits % 8, "bits are lost between segments")
    bits += segment.bits
    if segment.isLast { break }
    guard segment.kind == .block else { continue }
    if let block = try? BZip2Block(segment) { out += block.first } else { isWhole = false }
    guard out.count <= 1 << 22 else { return }
  }
  precondition(bits == bytes.count * 8, "bits are lost at the end")
  if isWhole, let whole { precondition(out == whole, "two ways, two texts") }
}
