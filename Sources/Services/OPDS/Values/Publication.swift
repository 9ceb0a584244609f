package import Circulation
package import FoundationEssentials

/// A book, as an entry of Atom or a publication of JSON tells it.
package struct Publication: Sendable, Hashable {
  /// The entry's name, which is for ever. Made from an address where the feed gives none.
  package var id: String
  package var title: String
  package var subtitle: String?
  package var sortTitle: String?
  package var contributors: [Person]
  package var series: [SeriesPlace]
  package var languages: [String]
  package var subjects: [Subject]
  package var summary: Summary?
  package var publisher: String?
  /// Of the publication, and not of its entry.
  package var issued: PartialDate?
  /// When the entry came to the catalogue.
  package var added: Date?
  /// When the entry last changed.
  package var updated: Date?
  /// When it last changed as a member of a list that can be edited (RFC 5023 §10.2).
  package var edited: Date?
  /// What the list's owner says of it there.
  package var note: String?
  /// What it is, mostly a class of schema.org.
  package var kind: String?
  /// Of the publication: `urn:isbn:…` and the like.
  package var identifiers: [String]
  package var links: [Link]
  package var images: [Link]
  package var acquisitions: [Acquisition]
  /// Rights to lend it, where the catalogue is a distributor's.
  package var licenses: [LendingLicense]
  /// The lender, where the catalogue stands for several.
  package var distributor: String?
  /// The catalogue it was taken from, where that is another one.
  package var source: Source?
  package var seconds: Double?
  package var pages: Int?

  package init(id: String, title: String) {
    (self.id, self.title) = (id, title)
    (contributors, series, languages, subjects, identifiers) = ([], [], [], [], [])
    (links, images, acquisitions, licenses) = ([], [], [], [])
  }

  /// The document that tells all of it: an Atom entry is complete at `alternate`, a publication of
  /// JSON at `self` (§2.1, §4).
  package var document: Link? {
    let documents = links.filter { $0.type?.isEntry == true && $0.address != nil }
    return documents.first(.alternate) ?? documents.first(.own)
  }

  package struct Person: Sendable, Hashable {
    package var name: String
    package var sortName: String?
    /// As the feed spells it: a code of MARC relators, or the key that names the person in JSON.
    package var role: String
    package var link: Link?

    package init(_ name: String, sortName: String? = nil, role: String, link: Link? = nil) {
      (self.name, self.sortName, self.role, self.link) = (name, sortName, role, link)
    }
  }

  package struct Source: Sendable, Hashable {
    package var id: String
    package var title: String
    package var updated: Date

    package init(id: String, title: String, updated: Date) {
      (self.id, self.title, self.updated) = (id, title, updated)
    }
  }

  package struct SeriesPlace: Sendable, Hashable {
    package var name: String
    package var position: Double?
    package var link: Link?

    package init(_ name: String, position: Double? = nil, link: Link? = nil) {
      (self.name, self.position, self.link) = (name, position, link)
    }
  }

  package struct Subject: Sendable, Hashable {
    package var scheme: String?
    package var code: String?
    package var label: String?

    package init(scheme: String?, code: String?, label: String?) {
      (self.scheme, self.code, self.label) = (scheme, code, label)
    }

    /// What a reader may be shown.
    package var words: String? { label ?? code.flatMap { $0.contains("://") ? nil : $0 } }
  }

  /// A stranger's text. Markup is kept as it came, for whoever shows it to rebuild.
  package struct Summary: Sendable, Hashable {
    package enum Form: Sendable, Hashable { case plain, markup }

    package var text: String
    package var form: Form

    package init(_ text: String, _ form: Form) { (self.text, self.form) = (text, form) }
  }
}
