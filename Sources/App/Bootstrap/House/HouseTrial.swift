import Database
import Desk
import HTTPClient
import Machine

/// What a house is put into to be tried as a whole: another network, and an engine and a disk that fail
/// when they are told to. Nothing of it is there when a gateway serves.
struct HouseTrial: Sendable {
  /// In place of the network.
  var transport: Transport?
  var store: StoreTrial?
  var disk: Download.DiskTrial?
  /// In place of what the kernel says of the machine.
  var run: MachineRun?
  /// Between nought and one; spreads the waits of the line of downloads.
  var chance: @Sendable () -> Double = { Double(Chance.system.next() >> 11) / Double(1 << 53) }
}
