import TextSafety

/// Why nothing was copied or put back.
extension ErrorCode {
  var keepingRow: Row? {
    switch self {
    case .notABackup:
      (.refused, "The file is no backup of Carrel's.", "Name a file that carrel admin backup made.")
    case .backupDamaged:
      (
        .refused, "The backup was changed or cut short; the part is named.",
        "Take another one. Nothing was put back."
      )
    case .backupLocked:
      (.locked, "The backup is sealed with a passphrase.", "Give --passphrase-file.")
    case .backupKeyWrong:
      (.locked, "That passphrase does not open the backup.", "Give the one that it was made with.")
    case .backupDiffers:
      (
        .refused, "Read back, a table was not what had been written.",
        "Nothing was changed. Look at the disk and the server, and run it again."
      )
    case .newerDatabase:
      (
        .refused, "A newer program made it: this one would not understand all of it.",
        "Use the newer program, or a backup that this one made."
      )
    case .dataInUse:
      (
        .inUse, "A gateway or another command works with the same data.",
        "Stop it, and run this again."
      )
    case .badAddress:
      (
        .usage, "That is no address of a database, or one with a password in it.",
        "Put it into a file for --to-file, or its password into one for --password-file."
      )
    default: nil
    }
  }
}
