import Circulation
import Testing

@testable import OverDrive

@Suite struct `A hold that is to go on` {
  let service = PlayedService()
  private let one = Titles.one
  private static let list = "GET /v1/patrons/me/holds"

  private func releases(_ status: Int) {
    service.on(
      "DELETE /v1/patrons/me/holds/\(one.upper)/suspension", status,
      status == 204 ? "" : #"{"errorCode":"PatronDoesntHaveTitleOnHold","message":"m","token":"t"}"#
    )
  }

  /// What one list after the other tells of it: nothing, or how it stands.
  private func lists(_ tellings: [String?]) {
    for telling in tellings {
      let hold = telling.map {
        #"{"reserveId":"\#(one.upper)","holdListPosition":3,"numberOfHolds":9\#($0)}"#
      }
      service.on(
        Self.list, 200,
        #"{"totalItems":\#(hold == nil ? 0 : 1),"holds":[\#(hold ?? "")]}"#)
    }
  }

  private func resume() async throws -> Hold {
    try await service.adapter().resumeHold(on: one, in: service.call)
  }

  @Test func `an OverDrive hold that is already active counts as resumed despite a refusal`()
    async throws
  {
    releases(404)
    lists([""])
    #expect(try await resume().status == .waiting(position: 3, total: 9))
  }

  @Test func `the OverDrive adapter lists holds again before it reports a resumed one missing`()
    async throws
  {
    releases(204)
    lists([nil, ""])
    #expect(try await resume().status == .waiting(position: 3, total: 9))
    #expect(service.asked(Self.list).count == 2)
  }

  @Test(arguments: [204, 404])
  func `A hold that is to go on is none where no list tells of it`(status: Int) async throws {
    releases(status)
    lists([nil])
    #expect(await reason { try await resume() } == .notOnHold)
    #expect(service.asked(Self.list).count == (status == 204 ? 2 : 1))
  }

  @Test func `an OverDrive resume has an open outcome when its refusal and the list disagree`()
    async throws
  {
    releases(404)
    lists([#","holdSuspension":{"suspensionType":"indefinite"}"#])
    #expect(await reason { try await resume() }?.leavesOutcomeOpen == true)
  }
}
