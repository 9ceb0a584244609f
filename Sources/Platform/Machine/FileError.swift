/// Why a file was not read or a folder not used.
package enum FileError: Error, Sendable, Hashable, CustomStringConvertible {
  case tooLarge(path: String, limit: Int)
  case openToOthers(path: String)
  case ownedBySomeoneElse(path: String)
  case notAFolder(path: String)
  case notAFile(path: String)
  case isALink(path: String)
  case folderOpenToOthers(path: String)
  case failed(MachineError)

  package var isMissing: Bool {
    if case .failed(let error) = self { error.isMissing } else { false }
  }

  package var description: String {
    switch self {
    case .tooLarge(let path, let limit): "\(path) is larger than \(limit) bytes"
    case .openToOthers(let path): "\(path) can be read by others; allow its owner only (chmod 600)"
    case .ownedBySomeoneElse(let path): "\(path) belongs to another account"
    case .notAFolder(let path): "\(path) is not a folder"
    case .notAFile(let path): "\(path) is not an ordinary file"
    case .isALink(let path): "\(path) is a link; name the file itself"
    case .folderOpenToOthers(let path):
      "others can replace files in \(path); allow its owner only (chmod go-w)"
    case .failed(let error): error.description
    }
  }
}
