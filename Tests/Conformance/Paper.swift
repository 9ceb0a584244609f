import Circulation
import MockKit
import Testing

extension Promise {
  static let paper = [
    Promise("branches have names, each its own", [.physicalHolds]) { visit in
      let branches = try await visit.ada.branches(in: visit.call)
      #expect(!branches.isEmpty)
      #expect(Set(branches.map(\.id)).count == branches.count)
      #expect(branches.allSatisfy { !$0.name.isEmpty })
    },
    Promise("a paper copy is put aside at the branch asked for", [.physicalHolds, .shelf]) {
      visit in
      let item = try visit.title()
      try visit.crowd(1)
      let branch = try #require(try await visit.ada.branches(in: visit.call).last)
      let options = HoldOptions(pickup: branch.id)
      let hold = try await visit.ada.placeHold(on: item, options: options, in: visit.call)
      #expect(hold.pickup == branch.id)
      #expect(try await visit.ada.shelf(in: visit.call).hold(on: item)?.pickup == branch.id)
    },
  ]
}
