package import Database
package import Vault

/// Why notices did not do as they were asked. Where a channel leads is never in it.
package enum NoticeError: Error, Sendable, Hashable {
  case database(DatabaseError)
  /// Channels cannot be opened.
  case locked(VaultError)
  /// A channel that was sealed by another vault, or whose row was moved or changed.
  case damaged
  case badName(String)
  case nameTaken(String)
  case unknownChannel(String)
  /// The field of that name is not what it should be.
  case badField(String)
  /// The gateway has no way to send by that medium.
  case noWay(Carrier)
  /// The code of that channel is another one, has expired, or was guessed at too often.
  case wrongCode(String)
  case alreadyConfirmed(String)
  /// No more than so many for one patron.
  case tooManyChannels(Int)
  /// Too many codes and tests; seconds to wait.
  case rateLimited(seconds: Int)
}
