import Circulation
import FoundationEssentials
package import Items
import Machine
import Registry
package import Secrets
package import Setup

/// Codes at sign-in, set up and ended by whoever runs the machine.
extension LinkedEngine {
  package func codes(at seat: Seat) async throws(ErrorItem) -> [CodesItem] {
    try await inHouse(seat) { house throws(ErrorItem) in
      let all = try await told { () throws(RegistryError) in
        try await house.registry.secondFactors().map { CodesItem($0.owner, $0.1) }
      }
      return all
    }
  }

  package func beginCodes(of reader: String, at seat: Seat) async throws(ErrorItem) -> CodesKey {
    try await inHouse(seat) { house throws(ErrorItem) in
      let patron = try await house.reader(named: reader)
      let begun = try await told { () throws(RegistryError) in
        try await house.registry.beginFactor(
          of: patron, issuer: seat.configuration.opds.title, by: House.commandLine,
          request: House.requestID())
      }
      guard case .begun(let key) = begun else {
        throw ErrorItem("codes_exist", detail: patron.name)
      }
      return CodesKey(reader: patron.name, key: key.grouped, address: key.address)
    }
  }

  package func confirmCodes(of reader: String, with code: Secret, at seat: Seat)
    async throws(ErrorItem) -> CodesBegun
  {
    try await inHouse(seat) { house throws(ErrorItem) in
      let patron = try await house.reader(named: reader)
      let (registry, request) = (house.registry, House.requestID())
      let spares = try await told { () throws(RegistryError) in
        try await registry.confirmFactor(
          of: patron.id, with: code, by: House.commandLine, request: request)
      }
      guard let spares else { throw ErrorItem("code_wrong", detail: patron.name) }
      let factor = try await told { () throws(RegistryError) in
        try await registry.note(
          OfficeDeed(.write, "codes", patron.id.rawValue, by: House.commandLine, request))
        return try await registry.secondFactor(of: patron.id)
      }
      return CodesBegun(CodesItem(patron.name, factor, changed: true), spares: spares)
    }
  }

  package func endCodes(of reader: String, at seat: Seat) async throws(ErrorItem) -> CodesItem {
    try await inHouse(seat) { house throws(ErrorItem) in
      let patron = try await house.reader(named: reader)
      let (registry, request) = (house.registry, House.requestID())
      let isEnded = try await told { () throws(RegistryError) in
        let isEnded = try await registry.endFactor(
          of: patron.id, by: House.commandLine, request: request)
        if isEnded {
          try await registry.note(
            OfficeDeed(.delete, "codes", patron.id.rawValue, by: House.commandLine, request))
        }
        return isEnded
      }
      return CodesItem(patron.name, nil, changed: isEnded)
    }
  }
}

extension CodesItem {
  fileprivate init(_ reader: String, _ factor: SecondFactor?, changed: Bool = false) {
    self.init(
      reader: reader, since: factor.map { Date(milliseconds: $0.since).rfc3339 },
      spares: factor?.spares ?? 0, changed: changed)
  }
}
