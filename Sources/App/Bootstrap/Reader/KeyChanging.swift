package import Items
import Machine
import Registry
package import Secrets
package import Setup
import Vault

extension LinkedEngine {
  package func rotateKeys(at seat: Seat) async throws(ErrorItem) -> VaultItem {
    try await visit(seat) { visit throws(ErrorItem) in
      let vault = try await visit.vault()
      try await visit.changed { () throws(VaultError) in
        try await vault.addKey(at: visit.house.time.now().millisecondsSinceEpoch)
      }
      let result = try await told { () throws(RegistryError) in
        try await visit.house.registry.reseal(request: House.requestID())
      }
      var item = VaultItem()
      (item.resealed, item.retired) = (result.resealed, result.retired.count)
      (item.unreadable, item.activeKey) = (result.unreadable.count, vault.activeKey)
      return item
    }
  }

  package func changeRoot(to passphrase: Secret?, at seat: Seat)
    async throws(ErrorItem) -> VaultItem
  {
    try await visit(seat) { visit throws(ErrorItem) in
      let vault = try await visit.vault()
      try await visit.changed { () throws(VaultError) in
        switch (seat.configuration.vault.source, passphrase) {
        case (.keyFile, _): try await vault.changeKeyFile(at: visit.house.keyFile)
        case (.passphrase, let new?): try await vault.changeRoot(to: .passphrase(new))
        case (.passphrase, nil): throw .emptyPassphrase
        // The service manager keeps that key; only its keeper can change it.
        case (.service, _): throw .otherRoot(wanted: "credential of the service manager")
        }
      }
      var item = VaultItem()
      item.activeKey = vault.activeKey
      return item
    }
  }
}

extension Visit {
  fileprivate func vault() async throws(ErrorItem) -> Vault {
    do throws(VaultError) { return try await House.vault(house.door, seat) } catch {
      throw ErrorItem(error)
    }
  }

  fileprivate func changed(_ body: () async throws(VaultError) -> Void) async throws(ErrorItem) {
    do throws(VaultError) { try await body() } catch { throw ErrorItem(error) }
  }
}
