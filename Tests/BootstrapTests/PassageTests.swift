import Circulation
import Downloads
import FrontDesk
import HTTP
import HTTPClient
import Machine
import Scanning
import TestSupport
import Testing

@testable import Bootstrap

@Suite(.timeLimit(.minutes(1))) struct `A file that passes through` {
  private func play(
    _ body: (HTTPClient.Client, String, PlayedScanner, TestSupport.TemporaryFolder) async throws ->
      Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let server = try RawServer { connection in
        guard connection.request() != nil else { return }
        connection.answer("200 OK", ["Connection: close"], "a book of sorts")
      }
      let played = try PlayedScanner(in: folder)
      defer {
        server.stop()
        played.stop()
      }
      var settings = ClientConfiguration()
      settings.gate = AddressGate(
        allowing: [AddressGate.Allowance("127.0.0.1")].compactMap(\.self))
      let client = try HTTPClient.Client(settings)
      try await body(client, server.url("/book"), played, folder)
      await client.shutdown()
    }
  }

  private func code(
    _ sentry: Sentry?, _ client: HTTPClient.Client, _ address: String, in folder: String
  ) async -> String? {
    let passage = Passage(folder: folder, transport: { _ in client.transport }, sentry: sentry)
    let format = Format(id: "epub", content: .epub, protection: .none)
    do throws(Problem) {
      _ = try await passage.fetch(.init(address: address, format: format), of: LibraryID("city"))
      return nil
    } catch { return error.code }
  }

  @Test func `A file that passes through is examined before its first byte leaves`() async throws {
    try await play { client, address, played, folder async throws in
      let place = folder.path("passage")
      func sentry(_ isRequired: Bool) -> Sentry {
        Sentry(
          Scanner(at: .socket(path: played.path), most: 1 << 20, patience: .seconds(5)),
          isRequired: isRequired)
      }
      #expect(await code(nil, client, address, in: place) == nil)
      #expect(await code(sentry(true), client, address, in: place) == nil)
      #expect(played.seen == [Array("a book of sorts".utf8)])
      played.plan(.hangsUpAtOnce, .hangsUpAtOnce)
      #expect(await code(sentry(true), client, address, in: place) == "scanner_away")
      #expect(await code(sentry(false), client, address, in: place) == nil)
      played.find(Array("sorts".utf8))
      #expect(await code(sentry(false), client, address, in: place) == "malware_found")
      // Nothing of it is left.
      #expect(CacheFolder(place).all().isEmpty)
    }
  }
}
