import Circulation
import JSON
import MockKit
import ProviderKit
import Testing

@testable import LibraryDesk

/// Answers that somebody chewed on. Whatever comes of them, it comes to an end, and what was
/// private stays so.
@Suite struct `Whatever a library's system sends` {
  private func chewed(_ text: String, _ count: Int) -> [[UInt8]] {
    var random = SeededRandom(seed: 7, for: text)
    return (0..<count).map { _ in
      var bytes = Array(text.utf8)
      for _ in 0...random.below(6) {
        guard !bytes.isEmpty else { break }
        let place = random.below(bytes.count)
        switch random.below(4) {
        case 0: bytes[place] = UInt8(random.below(256))
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + 1 + random.below(9)))
        case 2: bytes.insert(contentsOf: Array("<BR>\n[p=]=\"{\\".utf8), at: place)
        default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 20)], at: 0)
        }
      }
      return bytes
    }
  }

  @Test func `Whatever a library's system sends: lines of a patron are read or refused`() {
    let page =
      "A[pb]=230001<BR>\nB[p43]=01-02-27<BR>\nC[p81]=7<BR>\nPIN[p=]=secret-pin<BR>\nD[p96]=$1.00<BR>\n"
    for bytes in chewed(page, 4000) {
      let text = String(decoding: bytes, as: UTF8.self)
      _ = PINTest(text)
      guard let dump = PatronDump(text) else { continue }
      let reader = dump.reader(signedInBy: "230001", harmless: [])
      #expect(reader == nil || reader?.id.isEmpty == false)
    }
  }

  @Test func `Whatever a library's system sends: records are read or refused`() {
    let json =
      #"{"leader":"00000nam","fields":[{"001":"7"},{"245":{"ind1":"1","ind2":"4","subfields":[{"a":"The tin harbour /"}]}},{"020":{"subfields":[{"a":"9780306406157"}]}}]}"#
    let xml =
      #"<record><leader>00000nam</leader><controlfield tag="001">7</controlfield><datafield tag="245" ind1="1" ind2="4"><subfield code="a">The tin harbour /</subfield></datafield></record>"#
    for bytes in chewed(json, 2000) {
      guard let value = try? JSONValue(parsing: bytes, by: .tolerant) else { continue }
      let edition = MARCRecord(value)?.edition(named: ItemID("title-7"))
      #expect(edition == nil || edition?.title.isEmpty == false)
    }
    for bytes in chewed(xml, 2000) {
      guard let root = try? WireXML(parsing: bytes) else { continue }
      let edition = MARCRecord(root)?.edition(named: ItemID("title-7"))
      #expect(edition == nil || edition?.title.isEmpty == false)
    }
  }

  @Test func `Whatever a library's system sends: rules are read or refused`() {
    for bytes in chewed(
      "r: {age} < 13 and not ({home} == 'MTH' or number({patron_type}) >= 1) => No.", 4000)
    {
      _ = try? BlockRule(String(decoding: bytes, as: UTF8.self))
    }
  }
}
