package import Crypto
package import Database
package import Machine

/// Why nothing was kept, or nothing was put back. Whatever it is, what was there before is still there.
package enum BackupError: Error, Sendable {
  case database(DatabaseError)
  case file(FileError)
  case crypto(CryptoError)
  /// Neither a backup nor a sealed one.
  case notABackup
  /// It ends in this member, or before the first.
  case truncated(member: String?)
  /// Something in this member, or behind it, is not as it was written.
  case damaged(member: String)
  case passphraseNeeded
  case wrongPassphrase
  /// A newer program made it: of that form, or with that migration.
  case newer(String)
  /// A file that another backup made, under this name, is no digest.
  case badName(String)
  /// Read back, this table is not what was written into it.
  case differs(table: String)
  /// A table that this program does not have at that state.
  case unknownTable(String)
  case inUse(String)

  init(_ failure: SealedStream.Failure, in member: String?) {
    switch failure {
    case .notSealed: self = .notABackup
    case .wrongPassphrase: self = .wrongPassphrase
    case .truncated: self = .truncated(member: member)
    case .damaged, .trailing: self = .damaged(member: member ?? "the beginning")
    case .crypto(let error): self = .crypto(error)
    }
  }
}

func filing<T>(_ body: () throws(MachineError) -> T) throws(BackupError) -> T {
  do throws(MachineError) { return try body() } catch { throw .file(.failed(error)) }
}
