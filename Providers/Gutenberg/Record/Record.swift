/// One book as the catalogue tells it, before it is said in Carrel's words. The RDF record and the
/// row of the table both become one of these.
struct Record: Sendable, Hashable {
  let number: Int
  var titles: [String] = []
  var alternatives: [String] = []
  var credits: [Credit] = []
  var languages: [String] = []
  /// Subject headings of the Library of Congress.
  var headings: [String] = []
  /// Classes of its classification.
  var classes: [String] = []
  var bookshelves: [String] = []
  /// `Text`, `Sound` and so on; old files leave it out for texts.
  var type: String?
  /// When it came to the collection, not when it was written.
  var issued: String?
  var rights: String?
  var publisher: String?
  var downloads: Int?
  var files: [File] = []
  var marc: [Field] = []

  init(number: Int) { self.number = number }

  /// A `marcNNN` element.
  struct Field: Sendable, Hashable {
    let tag: String
    let text: String
  }

  struct Credit: Sendable, Hashable {
    let role: Role
    let agent: Agent
    /// The person was described elsewhere in the file.
    var isByReference = false
  }

  struct Agent: Sendable, Hashable {
    var id: Int?
    var name: String
    var aliases: [String] = []
    var born: Year?
    var died: Year?
  }

  /// In astronomical count, where the year before 1 is 0: Caesar was born in −99, which is 100 BCE.
  struct Year: Sendable, Hashable {
    let number: Int
    var isUncertain = false
  }

  struct File: Sendable, Hashable {
    let address: String
    /// Without charset and in no order that means anything.
    var types: [String]
    /// Without a zone, as it is written.
    var modified: String?
    var bytes: Int?

    /// Read by nobody as it is. A zip has two types, its own and that of what is in it.
    var isArchive: Bool {
      types.contains { $0.hasPrefix("application/zip") }
        || address.utf8.suffix(4).elementsEqual(".zip".utf8) { $0 | 0x20 == $1 }
    }
  }

  /// When anything of it changed last.
  var updated: String? { files.compactMap(\.modified).max() }

  func fields(_ tag: String) -> [String] {
    marc.filter { $0.tag == tag }.map(\.text).filter { !$0.isEmpty }
  }
}
