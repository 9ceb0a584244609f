import HTTP
import HTTPClient
import Lines

let soon = Duration.seconds(5)

/// Clients of this machine, as an operator may have allowed them.
func client(_ change: (inout ClientConfiguration) -> Void = { _ in }) -> LineClient {
  var configuration = ClientConfiguration()
  configuration.gate.allowances = ["127.0.0.0/8"].compactMap { AddressGate.Allowance($0) }
  change(&configuration)
  return LineClient(configuration)
}

func here(_ port: Int) throws -> LinePlace {
  LinePlace(try Address.Host("127.0.0.1"), port: port, .plain(beyondThisMachine: false))
}

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

func failure(_ work: () async throws(LineError) -> Void) async -> LineError? {
  do throws(LineError) {
    try await work()
    return nil
  } catch { return error }
}
