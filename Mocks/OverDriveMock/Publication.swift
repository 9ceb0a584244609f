import MockKit

/// The files behind a loan.
struct Publication {
  private let title: Title
  private let loan: Loan
  private let base: String

  init(_ title: Title, loan: Loan, base: String) {
    (self.title, self.loan, self.base) = (title, loan, base)
  }

  func bytes(_ type: String) -> [UInt8] {
    let book = MockBook(title)
    return switch type {
    case "application/epub+zip": book.epub
    case "application/pdf": book.pdf
    case "application/vnd.adobe.adept+xml": book.acsm(loan, base)
    default: Array(page.utf8)
    }
  }

  private var name: String { SignInPage.escaped(title.name) }
  private var author: String { SignInPage.escaped(title.authors.first ?? "Anonymous") }

  private var page: String {
    """
    <!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>\(name)</title></head>\
    <body><h1>\(name)</h1><p>\(author)</p></body></html>
    """
  }
}
