import Circulation
import ProviderKit

/// §4: a row of the files for whoever wants all of it: one volume, between tabs, nothing quoted.
struct HathifileRow: Sendable {
  let record: WireRecord
  let language: String?
  let author: String?

  /// Nil for what is no row. Older files end sooner, so columns are taken by count.
  init?(_ line: Substring) {
    let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map {
      String($0).trimmingBlanks
    }
    guard (14...40).contains(columns.count), !columns[0].isEmpty,
      let number = Number(.record, columns[3])?.value
    else { return nil }
    func list(_ index: Int) -> [String] {
      columns[index].split(separator: ",").map { String($0).trimmingBlanks }
    }
    func column(_ index: Int) -> String? {
      index < columns.count && !columns[index].isEmpty ? columns[index] : nil
    }
    let volume = WireVolume(
      id: columns[0], record: number, rights: columns[2], part: column(4))
    // 9999 is a year that nobody knows.
    let year = column(16).flatMap { $0 == "9999" ? nil : $0 }
    record = WireRecord(
      hathifile: volume, columns[11], isbns: list(8), issns: list(9), oclcs: list(7),
      lccns: list(10), published: year)
    language = column(18).flatMap { LanguageTag.primary(of: $0) }
    author = column(25)
  }

  func edition(in country: Country) -> Edition {
    var edition = record.edition(in: country)
    edition.languages = [language].compactMap(\.self)
    if let author {
      let filed = Self.withoutDates(author)
      edition.contributors = [
        Contributor(name: PersonName.spoken(filed), sortName: filed, role: .author)
      ]
    }
    return edition
  }

  /// `Russell, Bill, 1934-2022.`
  private static func withoutDates(_ author: String) -> String {
    let parts = author.split(separator: ",").map { String($0).trimmingBlanks }
    let kept = parts.filter { part in !(part.first?.isNumber ?? true) && !part.hasPrefix("b. ") }
    return kept.joined(separator: ", ").withoutLeadingMark
  }

  static func rows(_ body: [UInt8]) -> [HathifileRow] {
    String(decoding: body, as: UTF8.self).split(whereSeparator: \.isNewline)
      .compactMap { HathifileRow($0) }
  }
}
