/// Something that is wrong in a book which opens all the same.
package struct Fault: Sendable, Hashable {
  package enum Code: String, Sendable, Hashable, CaseIterable {
    case mimetypeMissing = "mimetype-missing"
    case mimetypeValue = "mimetype-value"
    case mimetypePlacement = "mimetype-placement"
    case zipDuplicateEntry = "zip-duplicate-entry"
    case zipUnsafePath = "zip-unsafe-path"
    case zipCollidingNames = "zip-colliding-names"
    case zipOverlapping = "zip-overlapping"
    case zipPadded = "zip-padded"
    case containerMended = "container-mended"
    case encryptionMalformed = "encryption-malformed"
    case resourceEncrypted = "resource-encrypted"
    case opfMended = "opf-mended"
    case opfNamespace = "opf-namespace"
    case opfVersionMissing = "opf-version-missing"
    case opfVersionUnknown = "opf-version-unknown"
    case titleMissing = "title-missing"
    case languageMissing = "language-missing"
    case uniqueIdentifierUnresolved = "unique-identifier-unresolved"
    case manifestDuplicateID = "manifest-duplicate-id"
    case manifestResourceMissing = "manifest-resource-missing"
    case urlEscapesRoot = "url-escapes-root"
    case nameCase = "name-case"
    case nameNormalisation = "name-normalisation"
    case spineIdrefUnresolved = "spine-idref-unresolved"
    case spineDuplicateItemref = "spine-duplicate-itemref"
    case spineResourceMissing = "spine-resource-missing"
    case spineRemote = "spine-remote"
    case spineForeignNoFallback = "spine-foreign-no-fallback"
    case fallbackCycle = "fallback-cycle"
    case navMalformed = "nav-malformed"
    case ncxMalformed = "ncx-malformed"
    case tocMissing = "toc-missing"
    case tocTruncated = "toc-truncated"
    case tocTargetMissing = "toc-target-missing"
    case tocTargetNotInSpine = "toc-target-not-in-spine"
    // These take reading the chapters, see `Book.examine`.
    case xhtmlMalformed = "xhtml-malformed"
    case entryTooLarge = "entry-too-large"
    case entryUnreadable = "entry-unreadable"
    case resourceMissing = "resource-missing"
    case resourceUnlisted = "resource-unlisted"
    case fragmentMissing = "fragment-missing"
  }

  package let code: Code
  /// The entry, id or address it is about.
  package let subject: String

  package init(_ code: Code, _ subject: String) { (self.code, self.subject) = (code, subject) }
}

/// What was found wrong so far, each thing once. A book made to have a million faults gets a
/// hundred of each kind.
package struct Faults: Sendable, Hashable {
  package private(set) var all: [Fault] = []
  private var known: Set<Fault> = []
  private var counts: [Fault.Code: Int] = [:]
  private static let mostOfAKind = 100

  package init() {}

  package mutating func note(_ code: Fault.Code, _ subject: String = "") {
    let fault = Fault(code, String(subject.prefix(300)))
    guard counts[code, default: 0] < Self.mostOfAKind, known.insert(fault).inserted else { return }
    counts[code, default: 0] += 1
    all.append(fault)
  }
}
