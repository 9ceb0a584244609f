import TextSafety

/// Why a file is refused as a book. These words are those of the books' own standards, hence the
/// hyphens.
extension ErrorCode {
  var bookRow: Row? {
    switch self {
    case .zipUnreadable: (.refused, "The file is no ZIP archive, or is cut short.", Self.again)
    case .zipSplit: (.refused, "The archive is one part of several.", Self.again)
    case .zipEncrypted:
      (.refused, "The archive is encrypted, which no EPUB may be.", "Unlock it where it was made.")
    case .zipCompressionMethod:
      (.refused, "The archive is packed in a way no EPUB may be.", "Pack it anew with deflate.")
    case .containerMissing:
      (.refused, "The archive lacks META-INF/container.xml: it is no EPUB.", Self.again)
    case .containerMalformed:
      (.refused, "META-INF/container.xml cannot be read.", Self.again)
    case .containerNoRootfile:
      (.refused, "The container names no package.", Self.again)
    case .opfMissing:
      (.refused, "The package that the container names is not there.", Self.again)
    case .opfMalformed: (.refused, "The package cannot be read.", Self.again)
    case .spineEmpty: (.refused, "The package lists nothing to read.", Self.again)
    case .spineNothingReadable:
      (.refused, "Nothing that the package lists can be shown.", Self.again)
    case .drmLCP:
      (
        .refused, "The book is locked with Readium LCP.",
        "Open it in a reading app that is certified for LCP."
      )
    case .passphraseNeeded:
      (
        .refused, "The book opens with its reader's passphrase.",
        "Type it when asked, or give --passphrase-file."
      )
    case .passphraseWrong:
      (
        .refused, "That passphrase does not open the book.",
        "Type it as the lender has it: each letter and blank counts."
      )
    case .notWrittenOut:
      (
        .refused, "A locked book is read, and not written out.",
        "carrel read FILE shows it in the terminal."
      )
    case .drmAdept:
      (
        .refused, "The book is locked with Adobe's scheme.",
        "Open it in an app that knows it, such as Adobe Digital Editions."
      )
    case .drmFairPlay:
      (.refused, "The book is locked with Apple's scheme.", "Open it in Apple Books.")
    case .drmUnknown:
      (
        .refused, "The book is locked in a way we do not know.",
        "Open it in the app of whoever sold or lent it."
      )
    case .tooLarge:
      (.refused, "The file is larger than any book, or made to look so.", Self.again)
    case .noSuchItem:
      (.refused, "The book has no such document.", "carrel epub toc --json tells their numbers.")
    case .itemUnreadable: (.refused, "The document cannot be read.", Self.again)
    case .queryTooLong:
      (.refused, "That is too much to search for at once.", "Search for the first few words.")
    default: nil
    }
  }

  private static let again: ShellCommand =
    "Fetch the file again; if it stays so, tell whoever made it."
}
