import Circulation
import FoundationEssentials
import MockKit

extension Deed {
  /// What is done with reading lists.
  static func lists(_ names: ListNames) -> [Deed] { reading(names) + writing(names) + people }

  private static func reading(_ names: ListNames) -> [Deed] {
    [
      Deed(operation: .checkAccount, capability: .lists, detail: "of lists") {
        desk, _, call throws(CirculationError) in
        _ = try await desk.checkAccount(in: call)
        return nil
      },
      Deed(operation: .list, capability: .lists, detail: "of lists") {
        desk, _, call throws(CirculationError) in
        _ = try await desk.lists(in: call)
        return nil
      },
      Deed(
        operation: .list, capability: .lists, detail: "of items",
        perform: { desk, _, call throws(CirculationError) in
          Set(try await desk.items(of: names.here, from: nil, in: call).entries.map(\.item))
        }, prepare: { try $0.list() }),
      Deed(
        operation: .list, capability: .listChanges, detail: "of changes",
        perform: { desk, _, call throws(CirculationError) in
          let page = try await desk.changes(since: .distantPast, from: nil, in: call)
          return Set(page.entries.map(\.item))
        }, prepare: { try $0.list() }),
    ]
  }

  private static func writing(_ names: ListNames) -> [Deed] {
    [
      Deed(operation: .list, capability: .listWriting, detail: "of candidates") {
        desk, _, call throws(CirculationError) in
        let numbers = BookNumbers(isbns: [ISBN(Premises.isbn(1))].compactMap(\.self))
        return Set(try await desk.find(SoughtBook(numbers: numbers), in: call).map(\.entry.item))
      },
      Deed(
        operation: .list, capability: .listWriting, detail: "addition",
        perform: { desk, item, call throws(CirculationError) in
          try await desk.add(ListEntry(item: item, title: "x"), to: names.here, in: call)
          return nil
        }, isDone: { $0.stands(on: names.here) }, hasDocument: false),
      Deed(
        operation: .list, capability: .listWriting, detail: "removal",
        perform: { desk, item, call throws(CirculationError) in
          try await desk.remove(ListEntry(item: item, title: "x"), from: names.here, in: call)
          return nil
        }, prepare: { try $0.list() }, isDone: { !$0.stands(on: names.here) }, hasDocument: false),
      Deed(
        operation: .list, capability: .listWriting, detail: "move",
        perform: { desk, item, call throws(CirculationError) in
          let entry = ListEntry(item: item, title: "x")
          try await desk.move(entry, from: names.here, to: names.there, in: call)
          return nil
        }, prepare: { try $0.list() },
        isDone: { $0.stands(on: names.there) && !$0.stands(on: names.here) }, hasDocument: false),
      Deed(
        operation: .list, capability: .ratings, detail: "rating",
        perform: { desk, item, call throws(CirculationError) in
          var entry = ListEntry(item: item, title: "x")
          entry.rating = 4
          try await desk.rate(entry, in: call)
          return nil
        }, prepare: { try $0.list() }, isDone: { $0.listed()?.rating == 4 }, hasDocument: false),
      Deed(
        operation: .list, capability: .remarks, detail: "of an entry",
        perform: { desk, item, call throws(CirculationError) in
          Set([try await desk.entry(of: item, in: call)?.item].compactMap(\.self))
        }, prepare: { try $0.list() }),
      Deed(
        operation: .list, capability: .remarks, detail: "remark",
        perform: { desk, item, call throws(CirculationError) in
          var entry = ListEntry(item: item, title: "x")
          entry.readings = [.init(finished: PartialDate(year: 2026, month: 2, day: 3))]
          try await desk.note([.readings], of: entry, in: call)
          return nil
        }, prepare: { try $0.list() }, isDone: { $0.listed()?.finished == "2026-02-03" },
        hasDocument: false),
    ]
  }

  private static let people = [
    Deed(operation: .list, capability: .friends, detail: "of friends") {
      desk, _, call throws(CirculationError) in
      _ = try await desk.friends(in: call)
      return nil
    },
    Deed(operation: .list, capability: .friends, detail: "of a friend's lists") {
      desk, _, call throws(CirculationError) in
      // Whoever has no friends among readers must still be refused properly.
      let friend = ReadingFriend(id: "1", name: "x")
      let known = try await desk.friends(in: call).first ?? friend
      _ = try await desk.lists(of: known, in: call)
      return nil
    },
    Deed(
      operation: .list, capability: .friends, detail: "of news",
      perform: { desk, _, call throws(CirculationError) in
        Set(try await desk.news(in: call).map(\.entry.item))
      }, prepare: { try $0.list(of: .bruno) }),
  ]
}
