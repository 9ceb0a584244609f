/// What a book says of itself, EPUB 2 and 3 alike.
package struct Metadata: Sendable, Hashable {
  package struct Title: Sendable, Hashable {
    package let text: String
    /// main, subtitle, short, collection, edition or expanded.
    package let type: String?
    package let sequence: Int?
    package let fileAs: String?
    package let language: String?
  }

  package struct Contributor: Sendable, Hashable {
    package let name: String
    /// MARC relator codes.
    package let roles: [String]
    package let fileAs: String?
    /// The name in other scripts.
    package let alternates: [String]
  }

  package struct Identifier: Sendable, Hashable {
    package let text: String
    package let id: String?
    /// As EPUB 2 has it: ISBN, UUID, DOI. From ONIX list 5 where EPUB 3 says it so.
    package let scheme: String?
  }

  package struct Subject: Sendable, Hashable {
    package let text: String
    package let authority: String?
    package let term: String?
  }

  package struct Collection: Sendable, Hashable {
    package let name: String
    /// series or set.
    package let type: String?
    /// As written: `2.5`, `1.2.3`.
    package let position: String?
    package let id: String?
    /// The id of the collection that this one is in.
    package let parent: String?
  }

  package struct Moment: Sendable, Hashable {
    package let text: String
    package let event: String?
  }

  package struct Link: Sendable, Hashable {
    package let rel: [String]
    package let target: Reference
    package let mediaType: MediaType?
  }

  package struct Media: Sendable, Hashable {
    package var duration: String?
    package var durations: [String: String] = [:]
    package var narrators: [String] = []
    package var activeClass: String?
    package var playbackActiveClass: String?
  }

  /// A property and its value, where there is no better place for it.
  package struct Statement: Sendable, Hashable {
    package let property: String
    package let value: String
  }

  package internal(set) var titles: [Title] = []
  package internal(set) var creators: [Contributor] = []
  package internal(set) var contributors: [Contributor] = []
  package internal(set) var identifiers: [Identifier] = []
  package internal(set) var uniqueIdentifier: String?
  package internal(set) var languages: [String] = []
  package internal(set) var dates: [Moment] = []
  package internal(set) var modified: String?
  package internal(set) var publishers: [String] = []
  package internal(set) var subjects: [Subject] = []
  package internal(set) var descriptions: [String] = []
  package internal(set) var rights: [String] = []
  package internal(set) var sources: [String] = []
  package internal(set) var collections: [Collection] = []
  package internal(set) var accessibility: [Statement] = []
  package internal(set) var media = Media()
  package internal(set) var links: [Link] = []
  /// ltr or rtl, where the package says it.
  package internal(set) var direction: String?
  /// What the first `meta name="cover"` names.
  var coverName: String?

  package init() {}

  /// The first one is the title, whatever the others say they are.
  package var title: String? { titles.first?.text }

  package var subtitle: String? { titles.dropFirst().first { $0.type == "subtitle" }?.text }

  package var language: String? { languages.first }

  package var series: Collection? { collections.first { $0.type == "series" } }

  package var published: String? {
    (dates.first { $0.event == nil || $0.event == "publication" } ?? dates.first)?.text
  }
}
