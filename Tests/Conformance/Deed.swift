import Circulation
import MockKit

/// One operation as the fault matrix does it: what must be there first, how it is asked for, and
/// how the world looks when it is done. What is known of an answer is the items that it speaks of.
struct Deed: Sendable {
  let operation: Circulation.Operation
  let capability: Capability
  var detail = ""
  let perform:
    @Sendable (any CirculationProvider, ItemID, Call) async throws(CirculationError) -> Set<ItemID>?
  var prepare: @Sendable (Premises) throws -> Void = { _ in }
  /// Nil for questions.
  var isDone: (@Sendable (Premises) -> Bool)?
  /// Whether the service must say something for the answer to count.
  var hasDocument = true

  var name: String { operation.rawValue + (detail.isEmpty ? "" : " \(detail)") }
}

extension Deed {
  static let all = all(ListNames(), branch: "1")

  static func all(_ names: ListNames, branch: String) -> [Deed] {
    questions + changes + paper(branch) + lists(names)
  }

  /// The same where lists go by other names.
  func at(_ house: House) -> Deed {
    Deed.all(house.lists, branch: house.branch).first {
      $0.name == name && $0.capability == capability
    } ?? self
  }

  private static let questions = [
    Deed(operation: .checkAccount, capability: .shelf) {
      desk, _, call throws(CirculationError) in
      _ = try await desk.checkAccount(in: call)
      return nil
    },
    Deed(operation: .harvest, capability: .harvest) { desk, item, call throws(CirculationError) in
      Set(try await desk.harvest(from: nil, in: call).editions.map(\.item))
    },
    Deed(operation: .search, capability: .search) { desk, item, call throws(CirculationError) in
      Set(try await desk.search(SearchQuery(words: "Quillon"), in: call).map(\.item))
    },
    Deed(operation: .lookUp, capability: .lookUp) { desk, _, call throws(CirculationError) in
      let book = BookNumbers(isbns: [ISBN(Premises.isbn(1))].compactMap(\.self))
      return Set(try await desk.lookUp([book], in: call).found.map(\.edition.item))
    },
    Deed(operation: .availability, capability: .availability) {
      desk, item, call throws(CirculationError) in
      let told = try await desk.availability(of: [item], in: call)
      return Set(told.filter { $0.value.status != .unknownToProvider }.keys)
    },
    Deed(
      operation: .shelf, capability: .shelf,
      perform: { desk, _, call throws(CirculationError) in
        let shelf = try await desk.shelf(in: call)
        return Set(shelf.loans.map(\.item) + shelf.holds.map(\.item))
      }, prepare: { try $0.lend() }),
  ]

  private static let changes = [
    Deed(
      operation: .checkOut, capability: .lending,
      perform: { desk, item, call throws(CirculationError) in
        _ = try await desk.checkOut(item, as: nil, in: call)
        return [item]
      }, isDone: { $0.loan() != nil }),
    Deed(
      operation: .checkIn, capability: .earlyReturn,
      perform: { desk, item, call throws(CirculationError) in
        try await desk.checkIn(item, in: call)
        return [item]
      }, prepare: { try $0.lend() }, isDone: { $0.loan() == nil }, hasDocument: false),
    Deed(
      operation: .renew, capability: .renewal,
      perform: { desk, item, call throws(CirculationError) in
        _ = try await desk.renew(item, in: call)
        return [item]
      },
      prepare: { premises in
        try premises.lend()
        premises.time.pass(days: 20)
      },
      // By a place in line, by a later end, or by a loan that has begun anew.
      isDone: { visit in
        visit.hold() != nil
          || (visit.loan().map { $0.renewals > 0 || $0.since.date == visit.time.date } ?? false)
      }),
    Deed(
      operation: .placeHold, capability: .holds,
      perform: { desk, item, call throws(CirculationError) in
        _ = try await desk.placeHold(on: item, options: HoldOptions(), in: call)
        return [item]
      }, prepare: { try $0.crowd(1, borrows: 1) }, isDone: { $0.hold() != nil }),
    Deed(
      operation: .cancelHold, capability: .holds,
      perform: { desk, item, call throws(CirculationError) in
        try await desk.cancelHold(on: item, in: call)
        return [item]
      }, prepare: { try $0.queue() }, isDone: { $0.hold() == nil }, hasDocument: false),
    Deed(
      operation: .suspendHold, capability: .suspension,
      perform: { desk, item, call throws(CirculationError) in
        _ = try await desk.suspendHold(on: item, days: nil, in: call)
        return [item]
      }, prepare: { try $0.queue() }, isDone: { $0.hold()?.suspension != nil }),
    Deed(
      operation: .resumeHold, capability: .suspension,
      perform: { desk, item, call throws(CirculationError) in
        _ = try await desk.resumeHold(on: item, in: call)
        return [item]
      },
      prepare: { premises in
        try premises.queue()
        try premises.inside { library, now in
          _ = try library.suspendHold(
            on: premises.id(), by: Reader.ada.card, until: nil, at: now)
        }
      }, isDone: { $0.hold().map { $0.suspension == nil } ?? false }),
    Deed(
      operation: .fulfil, capability: .fulfilment,
      perform: { desk, item, call throws(CirculationError) in
        _ = try await desk.fulfil(item, as: nil, in: call)
        return [item]
      }, prepare: { try $0.lend() }),
  ]

  private static func paper(_ branch: String) -> [Deed] {
    [
      Deed(operation: .branches, capability: .physicalHolds) {
        desk, _, call throws(CirculationError) in
        _ = try await desk.branches(in: call)
        return nil
      },
      Deed(operation: .copies, capability: .physicalHolds) {
        desk, item, call throws(CirculationError) in
        _ = try await desk.copies(of: item, in: call)
        return nil
      },
      Deed(
        operation: .placeHold, capability: .physicalHolds, detail: "at a branch",
        perform: { desk, item, call throws(CirculationError) in
          let options = HoldOptions(pickup: BranchID(branch))
          return [try await desk.placeHold(on: item, options: options, in: call).item]
        }, isDone: { $0.hold() != nil }),
    ]
  }
}

extension Premises {
  /// Ada has the first title.
  func lend(_ number: Int = 1, to reader: Reader = .ada) throws {
    try inside { library, now in
      _ = try library.borrow(house.titleID(number), by: reader.card, at: now)
    }
  }

  /// Ada waits for the first title, which somebody else has.
  func queue(_ number: Int = 1, _ reader: Reader = .ada) throws {
    if loan(.ada, of: number) == nil, truth.copiesAvailable(of: id(number)) > 0 {
      try crowd(truth.copiesAvailable(of: id(number)), borrows: number)
    }
    try inside { library, now in
      _ = try library.placeHold(on: house.titleID(number), by: reader.card, at: now)
    }
  }
}
