package import Circulation
package import FoundationEssentials
import HTTP

/// One page of a catalogue, of either version.
package struct Feed: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable { case navigation, acquisition }

  package var id: String?
  package var title: String
  package var subtitle: String?
  package var updated: Date?
  package var links: [Link]
  package var facets: [FacetGroup]
  package var navigation: [NavigationEntry]
  /// Those that stand in no group.
  package var publications: [Publication]
  package var groups: [Group]
  package var total: Int?
  package var perPage: Int?
  /// The place of the first one here among all, from 1.
  package var first: Int?
  package var author: String?
  /// Of whoever is signed in: Adobe's is told once for the whole shelf as often as for each loan (§3).
  package var licensor: LoanKeys.Licensor?
  /// Whether all that there is stands in it, each entry whole.
  package var isComplete: Bool
  /// What was left out of it, and why.
  package var faults: [String]
  /// Whether more stands in it than was taken: what is not here may be there all the same.
  package private(set) var isCut = false
  /// What stands first where both are in one feed.
  package var lead = Lead.lanes

  package enum Lead: Sendable, Hashable { case lanes, books }

  package init(title: String) {
    self.title = title
    (links, facets, navigation, publications, groups, faults) = ([], [], [], [], [], [])
    isComplete = false
  }

  /// The first of a list of all there is; what is over is told.
  mutating func taking<List: RandomAccessCollection>(
    _ most: Int, of list: List, _ what: String
  ) -> List.SubSequence {
    if list.count > most {
      isCut = true
      faults.append("\(list.count - most) \(what) more than are read at once")
    }
    return list.prefix(most)
  }

  /// By what is in it; what it calls itself is a hint at best (§1.2).
  package var kind: Kind {
    if !publications.isEmpty || groups.contains(where: { !$0.publications.isEmpty }) {
      return .acquisition
    }
    let hasLanes = !navigation.isEmpty || groups.contains { !$0.navigation.isEmpty }
    return hasLanes || saysNavigation ? .navigation : .acquisition
  }

  private var saysNavigation: Bool {
    links.first(.own)?.type?["kind"]?.lowercased() == Kind.navigation.rawValue
  }

  /// All of them, each once although it may stand in several lanes.
  package var everyPublication: [Publication] {
    var seen: Set<String> = []
    return (publications + groups.flatMap(\.publications)).filter { seen.insert($0.id).inserted }
  }

  package var next: Link? { links.first(.next) }

  /// A choice of orders or subsets; one of a group is active at most.
  package struct FacetGroup: Sendable, Hashable {
    package var title: String
    package var facets: [Facet]

    package init(_ title: String, _ facets: [Facet]) { (self.title, self.facets) = (title, facets) }
  }

  package struct Facet: Sendable, Hashable {
    package var link: Link
    package var isActive: Bool

    package init(_ link: Link, isActive: Bool) { (self.link, self.isActive) = (link, isActive) }
  }

  /// A lane.
  package struct Group: Sendable, Hashable {
    package var title: String
    package var link: Link?
    package var navigation: [NavigationEntry]
    package var publications: [Publication]

    package init(_ title: String, _ link: Link?) {
      (self.title, self.link, navigation, publications) = (title, link, [], [])
    }
  }

  package struct NavigationEntry: Sendable, Hashable {
    package var id: String
    package var title: String
    package var summary: String?
    package var updated: Date?
    package var links: [Link]

    package init(id: String, title: String, links: [Link]) {
      (self.id, self.title, self.links) = (id, title, links)
    }

    /// The feed behind it.
    package var target: Link? {
      links.first { $0.type?.isCatalog == true && $0.address != nil }
        ?? links.first { $0.type == nil && $0.address != nil }
    }
  }
}
