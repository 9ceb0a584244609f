import Circulation
import FoundationEssentials
package import Items
import Registry
package import Setup

extension LinkedEngine {
  package func addDevice(_ order: DeviceOrder, at seat: Seat)
    async throws(ErrorItem) -> DeviceKey
  {
    let scopes = order.scopes.isEmpty ? .all : Set(order.scopes.compactMap(Device.Scope.init))
    return try await visit(seat) { visit throws(ErrorItem) in
      let (device, password) = try await told { () throws(RegistryError) in
        try await visit.house.registry.addDevice(
          named: order.name, of: visit.patron.id, scopes: scopes,
          manner: order.manner.flatMap(Device.Manner.init) ?? .told,
          request: House.requestID())
      }
      return DeviceKey(
        name: device.name, scopes: device.scopes.words, reader: visit.patron.name,
        password: password)
    }
  }

  package func devices(at seat: Seat) async throws(ErrorItem) -> [DeviceItem] {
    try await visit(seat) { visit throws(ErrorItem) in
      try await told { () throws(RegistryError) in
        try await visit.house.registry.devices(of: visit.patron.id)
      }.map { DeviceItem($0, of: visit.patron) }
    }
  }

  package func revokeDevice(_ name: String, at seat: Seat)
    async throws(ErrorItem) -> DeviceItem
  {
    try await visit(seat) { visit throws(ErrorItem) in
      let device = try await told { () throws(RegistryError) in
        try await visit.house.registry.revokeDevice(
          named: name, of: visit.patron.id, request: House.requestID())
      }
      return DeviceItem(device, of: visit.patron)
    }
  }
}

extension DeviceItem {
  fileprivate init(_ device: Device, of patron: Patron) {
    self.init(
      name: device.name, scopes: device.scopes.words, reader: patron.name,
      madeAt: Self.moment(device.madeAt), lastUsed: device.lastUsed.map(Self.moment))
  }

  private static func moment(_ milliseconds: Int64) -> String {
    Date(milliseconds: milliseconds).rfc3339
  }
}
