import Circulation
import JSON
import ProviderKit

// §1.1 and §1.2: what an answer holds about one wanted book.

struct WireBook: Sendable {
  let records: [WireRecord]

  /// Nil for anything else. Nothing found is an object in single answers and a list in others.
  init?(_ json: JSONValue) {
    guard let items = json["items"]?.array, let told = json["records"] else { return nil }
    let volumes = items.compactMap(WireVolume.init)
    guard volumes.isEmpty == items.isEmpty else { return nil }
    if let list = told.array {
      guard list.isEmpty, items.isEmpty else { return nil }
      records = []
      return
    }
    guard let members = told.object?.members else { return nil }
    // One that cannot be read keeps none of the others away.
    records = members.compactMap { member in
      WireRecord(member.name, member.value, volumes.filter { $0.record == member.name })
    }
    guard records.isEmpty == members.isEmpty else { return nil }
    // Volumes of records that are not there: half an answer.
    guard !records.isEmpty || volumes.isEmpty else { return nil }
  }

  /// The records that are what was wished for. A record that has one of our numbers wrong is the
  /// wrong record, though it has another one right: the trustier number decides.
  func records(for wish: Wish) -> [WireRecord] {
    // With one number there is nothing to weigh; former numbers lead to records without them.
    guard wish.numbers.count > 1 else {
      guard let only = wish.numbers.first, only.scheme == .record else { return records }
      return records.filter { $0.number == only.value }
    }
    for scheme in Number.Scheme.allCases {
      let wanted = wish.numbers.filter { $0.scheme == scheme }
      guard !wanted.isEmpty else { continue }
      let agreeing = records.filter { !$0.numbers(scheme).isDisjoint(with: wanted) }
      if !agreeing.isEmpty { return agreeing }
      // Silence is no contradiction, another number is.
      let rest = records.filter { $0.numbers(scheme).isEmpty }
      if rest.count < records.count {
        return WireBook(records: rest).records(for: wish.without(scheme))
      }
    }
    return []
  }

  private init(records: [WireRecord]) { self.records = records }
}

extension Wish {
  fileprivate func without(_ scheme: Number.Scheme) -> Wish {
    Wish(numbers.filter { $0.scheme != scheme })
  }
}

struct WireRecord: Sendable, Hashable {
  let number: String
  let titles: [String]
  let isbns: [String]
  let issns: [String]
  let oclcs: [String]
  let lccns: [String]
  let published: [String]
  /// A document in a string, where it was asked for.
  let marc: String?
  let volumes: [WireVolume]

  init?(_ number: String, _ json: JSONValue, _ volumes: [WireVolume]) {
    guard json.object != nil, let padded = Number(.record, number)?.value else { return nil }
    func texts(_ name: String) -> [String] { json[name]?.elements.compactMap(\.words) ?? [] }
    self.number = padded
    titles = texts("titles")
    (isbns, issns, oclcs, lccns) = (texts("isbns"), texts("issns"), texts("oclcs"), texts("lccns"))
    published = texts("publishDates")
    marc = json["marc-xml"]?.words
    self.volumes = volumes
  }

  init(
    hathifile volume: WireVolume, _ title: String, isbns: [String], issns: [String],
    oclcs: [String], lccns: [String], published: String?
  ) {
    (number, titles, self.isbns, self.issns) = (volume.record, [title], isbns, issns)
    (self.oclcs, self.lccns, marc, volumes) = (oclcs, lccns, nil, [volume])
    self.published = [published].compactMap(\.self)
  }

  func numbers(_ scheme: Number.Scheme) -> Set<Number> {
    let texts =
      switch scheme {
      case .record: [number]
      case .volume: volumes.map(\.id)
      case .oclc: oclcs
      case .isbn: isbns
      case .issn: issns
      case .lccn: lccns
      }
    return Set(texts.compactMap { Number(scheme, $0) })
  }
}

struct WireVolume: Sendable, Hashable {
  let id: String
  let record: String
  let address: String?
  let rights: String
  /// `v.2`, `1998`; nil for the only one, where the service writes `false`.
  let part: String?

  init?(_ json: JSONValue) {
    guard let id = json["htid"]?.words, let record = json["fromRecord"]?.words,
      let rights = json["rightsCode"]?.words
    else { return nil }
    self.init(
      id: id, record: record, rights: rights, part: json["enumcron"]?.words,
      address: json["itemURL"]?.words)
  }

  init(id: String, record: String, rights: String, part: String?, address: String? = nil) {
    (self.id, self.record, self.rights, self.address) = (id, record, rights, address)
    self.part = part == "false" ? nil : part
  }
}
