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
    Promise("copies are told branch by branch, with where they may be fetched", [.physicalHolds]) {
      visit in
      let item = try visit.title(copies: .counted(3))
      try visit.crowd(1)
      let list = try await visit.ada.copies(of: item, in: visit.call)
      #expect(list.copies.count == 3)
      #expect(list.copies.count { $0.state == .available } == 2)
      #expect(list.copies.count { $0.state == .out } == 1)
      #expect(list.copies.allSatisfy { $0.branch?.name.isEmpty == false })
      #expect(!list.pickups.isEmpty)
    },
    Promise("of a title that nobody knows there are no copies to be told", [.physicalHolds]) {
      visit in
      let reason = try await refusal {
        try await visit.ada.copies(of: visit.unknown, in: visit.call)
      }
      #expect(reason == .titleGone)
    },
    Promise(
      "a hold is put aside at another branch when that is asked for", [.physicalHolds, .shelf]
    ) {
      visit in
      let item = try visit.title()
      try visit.crowd(1)
      let branches = try await visit.ada.branches(in: visit.call)
      for branch in branches {
        let options = HoldOptions(pickup: branch.id)
        let hold = try await visit.ada.placeHold(on: item, options: options, in: visit.call)
        #expect(hold.pickup == branch.id)
        #expect(visit.truth.holds.count == 1)
      }
      #expect(try await visit.ada.shelf(in: visit.call).hold(on: item)?.pickup == branches.last?.id)
    },
    Promise("no copy is put aside at a branch that there is not", [.physicalHolds]) { visit in
      let item = try visit.title()
      try visit.crowd(1)
      let options = HoldOptions(pickup: BranchID("NOWHERE"))
      let reason = try await refusal {
        try await visit.ada.placeHold(on: item, options: options, in: visit.call)
      }
      #expect(reason == .branchRefused)
      #expect(visit.truth.holds.allSatisfy { $0.card != Reader.ada.card })
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
