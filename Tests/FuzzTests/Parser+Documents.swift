import Circulation
import Crypto
import Downloads
import FoundationEssentials
import HTTP
import JSON
import LCP
import Machine
import OPDS
import Reading
import Secrets
import ShelfFiles

@testable import Gutenberg
@testable import LibraryDesk

extension Parser {
  static let documents = [
    Parser("opds") { bytes in
      guard let from = try? HTTP.Address("https://books.example/opds") else { return }
      for tolerance in [OPDS.Document.Tolerance.strict, .mending] {
        _ = try? OPDS.Document(bytes, type: nil, from: from, tolerance)
      }
      _ = try? PostedEntry(bytes, type: nil, from: from)
    },
    Parser("lending-license") { bytes in
      guard let from = try? HTTP.Address("https://books.example/opds") else { return }
      if let info = LendingLicenseInfo(bytes, from: from) { _ = info.isFree(at: .distantPast) }
    },
    Parser("rdf") { bytes in _ = try? Record.reading(bytes) },
    Parser("sru") { bytes in
      _ = try? SRUReply.records(in: bytes, .search)
      if let json = try? JSONValue(parsing: bytes, by: .tolerant) { _ = MARCRecord(json) }
    },
    Parser("acsm") { bytes in _ = AdobeToken(bytes) },
    // Read, or refused with a reason that can be shown.
    Parser("licence") { bytes in
      _ = try? LicenseStatus(bytes)
      do throws(LicenseRefusal) {
        let license = try License(bytes)
        precondition(license.link("publication") != nil && license.document == bytes)
        try? license.checkRights(at: .epoch)
        do throws(LicenseRefusal) { try license.checkProof(by: LicenseRoots()) } catch {
          precondition(!error.sentence.isEmpty)
        }
        _ = try license.unlocked(with: [UserKey(passphrase: Secret("fuzz"))])
      } catch {
        precondition(!error.sentence.isEmpty && error.detail.unicodeScalars.count <= 200)
      }
    },
    Parser("shelf-file") { bytes in
      guard var file = try? ShelfFile(bytes) else { return }
      _ = ShelfReading(&file)
    },
    Parser("annotations") { bytes in _ = try? AnnotationImport(bytes, for: nil, now: 0) },
  ]
}
