import Circulation
import HTTP
import ProviderKit

// Items and MARC records both become editions; a record knows the series, an item all else.

extension WireItem {
  func edition() -> Edition {
    var edition = Edition(item: ItemID(itemID), title: text("Title") ?? "")
    edition.subtitle = text("SubTitle")
    edition.contributors =
      people("Authors", .author) + people("Narrator", .narrator)
    let formats = bookFormat.map { [Formats.named($0)] } ?? []
    edition.formats = formats + (link == nil ? [] : [Formats.web])
    edition.medium = formats.first.map(Formats.medium) ?? .book
    edition.languages = [xml.words("Language").flatMap(LanguageTag.primary)].compactMap(\.self)
    edition.subjects = Subjects.list(xml.words("Genre") ?? "")
    edition.audience = Subjects.audience(of: edition.subjects)
    edition.summary = xml.words("Description")
    edition.publisher = text("Publisher")
    edition.published =
      ["PubDate", "PubYear", "OnSaleDate"].lazy
      .compactMap { xml.words($0).flatMap(WireDate.calendar) }.first
    edition.isbns = isbns("ISBN13")
    if edition.isbns.isEmpty { edition.isbns = isbns("ISBN") }
    edition.relatedISBNs = isbns("PhysicalISBN").filter { !edition.isbns.contains($0) }
    edition.owned = totalCopies.map { $0 > 0 }
    edition.covers = Links.covers(xml.words("CoverLinkURL"))
    return edition
  }

  /// Where the service shows the title to readers.
  var link: String? { xml.words("BookLinkURL").map(Links.clean) }

  private func text(_ name: String) -> String? { xml.words(name).map(Plain.text) }

  private func people(_ name: String, _ role: Contributor.Role) -> [Contributor] {
    // Entities end in what separates the names, so they go first.
    (xml.words(name).map(Plain.text)?.words(at: ";") ?? [])
      .compactMap { People.contributor($0, role) }
  }

  private func isbns(_ name: String) -> [ISBN] {
    [xml.words(name).flatMap(ISBN.init)].compactMap(\.self)
  }
}

extension WireMARC {
  func edition() -> Edition {
    var edition = Edition(item: ItemID(itemID), title: text("245", "a") ?? "")
    edition.subtitle = text("245", "b")
    edition.contributors = (fields("100") + fields("700")).compactMap { field in
      field["a"].flatMap {
        People.contributor(People.withoutStop(Plain.text($0)), People.role(field["4"]))
      }
    }
    edition.languages = [language].compactMap(\.self)
    edition.publisher = text("260", "b")
    edition.published = first("260", "c").flatMap { text in
      WireDate.calendar(String(text.drop { !$0.isNumber }.prefix(4)))
    }
    edition.isbns = isbns("020", "a")
    edition.relatedISBNs = isbns("776", "z").filter { !edition.isbns.contains($0) }
    edition.series = text("490", "a").map { Series(name: $0) }
    edition.subjects = subjects
    edition.audience = Subjects.audience(of: edition.subjects)
    edition.summary = first("520", "a").map(Plain.text)
    edition.formats = fields("538").compactMap { field in
      guard let word = field["a"], word.lowercased().hasPrefix("format: ") else { return nil }
      return Formats.named(String(word.dropFirst(8)))
    }
    edition.medium = edition.formats.first.map(Formats.medium) ?? .book
    let cover = fields("856").first { $0["3"]?.lowercased() == "cover image" }
    edition.covers = Links.covers(cover?["u"])
    return edition
  }

  /// Three letters at a place of their own.
  private var language: String? {
    let coded = Array(control("008") ?? "")
    return coded.count >= 38 ? LanguageTag.primary(of: String(coded[35..<38])) : nil
  }

  private var subjects: [String] {
    return fields("650").compactMap { $0["a"].map(Subjects.heading) }
      .filter { !$0.isEmpty }.distinct
  }

  private func text(_ tag: String, _ code: String) -> String? {
    first(tag, code).map { Plain.withoutPunctuation(Plain.text($0)) }
  }

  private func isbns(_ tag: String, _ code: String) -> [ISBN] {
    fields(tag).compactMap { $0[code].flatMap(ISBN.init) }
  }
}

extension Edition {
  /// What the record knows and the item does not.
  func completed(by record: Edition) -> Edition {
    var edition = self
    edition.series = series ?? record.series
    edition.subtitle = subtitle ?? record.subtitle
    edition.publisher = publisher ?? record.publisher
    edition.published = published ?? record.published
    edition.summary = summary ?? record.summary
    edition.audience = record.audience ?? audience
    if title.isEmpty { edition.title = record.title }
    if contributors.isEmpty { edition.contributors = record.contributors }
    if languages.isEmpty { edition.languages = record.languages }
    if subjects.isEmpty { edition.subjects = record.subjects }
    if isbns.isEmpty { edition.isbns = record.isbns }
    edition.relatedISBNs += record.relatedISBNs.filter {
      !edition.relatedISBNs.contains($0) && !edition.isbns.contains($0)
    }
    if covers == Covers() { edition.covers = record.covers }
    return edition
  }
}
