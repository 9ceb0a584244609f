extension ZipError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noFile(let why): "the archive cannot be read: \(why)"
    case .unreadable(let why): "it is no ZIP archive: \(why)"
    case .split: "the archive is one part of several"
    case .encrypted(let entry): "\(entry) is encrypted"
    case .unknownMethod(let entry, let method):
      "\(entry) is compressed by method \(method), which is not supported"
    case .tooLarge(let measure, let limit): measure.words(limit)
    case .overlapping: "entries of the archive overlap"
    case .damaged(let entry): "\(entry) is damaged"
    }
  }
}

extension ZipError.Measure {
  fileprivate func words(_ limit: Int) -> String {
    switch self {
    case .archive: "the archive is larger than \(limit) bytes"
    case .entries: "the archive has more than \(limit) entries"
    case .directory: "the archive's directory is larger than \(limit) bytes"
    case .inflated: "an entry unpacks to more than \(limit) bytes"
    case .ratio: "an entry unpacks to more than \(limit) times its size"
    case .declared: "an entry unpacks to more than the \(limit) bytes that it declares"
    }
  }
}
