import HTTP
import MockKit

/// Which library a request is for, and what of it. Its name is the front of the path.
struct Route: Equatable {
  let library: String
  /// What stands between the library's name and the rest: a front that always speaks JSON.
  let front: String
  let place: Place

  enum Place: Equatable {
    // The lender.
    case start, crawlable, shelf, profile
    case groups
    case feed(String)
    case search
    case entry(String)
    case borrow(String, mechanism: String?)
    case fulfil(String, mechanism: String)
    case revoke(String)
    case authenticationDocument, token, patronToken
    case licenceRoot
    case licenceStatus(String)
    case freshLicence(String)
    case licenceDeed(String, String)
    // The distributor.
    case rights
    case right(String)
    case rightInfo(String)
    case checkout
    // Files of any library.
    case cover(String)
    case content(String)
    // Quill Press.
    case pressRoot, pressAll, pressNew, pressSubjects, pressSearch
    case pressSubject(String)
    case pressBook(String)
    // calibre.
    case calibreRoot, calibreDescription
    case calibreList(String)
    case calibreSearch(String)
    case unknown
  }

  /// Nil for what is no library of this mock.
  init?(_ request: MockRequest) {
    guard let name = request.path.first else { return nil }
    var rest = Array(request.path.dropFirst())
    if rest.last == "" { rest.removeLast() }
    var front = ""
    let isRead = request.method == .get || request.method == .head
    let place: Place
    switch name {
    case "lantern", "beacon":
      if rest.first == "opds2" {
        front = "/opds2"
        rest.removeFirst()
      }
      place = Place(lender: rest, request.method)
    case "stacks": place = Place(distributor: rest, request.method)
    case "quillpress": place = isRead ? Place(press: rest) : .unknown
    case "calibre": place = isRead ? Place(calibre: rest, request.query) : .unknown
    default: return nil
    }
    (library, self.front, self.place) = (name, front, place)
  }

  /// The case's name: what faults and the journal call the operation.
  var operation: String { String("\(place)".prefix { $0 != "(" }) }
}

extension Route.Place {
  init(lender path: [String], _ method: Method) {
    let isRead = method == .get || method == .head
    // What changes something must not be done by a look at its head.
    let isDeed = [.get, .put, .post].contains(method)
    switch (path.first ?? "", path.count) {
    case ("", _): self = isRead ? .start : .unknown
    case ("crawlable", 1): self = isRead ? .crawlable : .unknown
    case ("groups", 1): self = isRead ? .groups : .unknown
    case ("feed", 2): self = isRead ? .feed(path[1]) : .unknown
    case ("search", 1): self = isRead ? .search : .unknown
    case ("authentication_document", 1): self = isRead ? .authenticationDocument : .unknown
    case ("token", 1): self = method == .post ? .token : .unknown
    case ("patrons", 2): self = isRead ? .profile : .unknown
    case ("patrons", 3): self = method == .post ? .patronToken : .unknown
    case ("loans", 1): self = isRead ? .shelf : .unknown
    case ("loans", 3): self = isDeed && path[2] == "revoke" ? .revoke(path[1]) : .unknown
    case ("works", 3): self = isRead ? .entry(Self.id(path[2])) : .unknown
    case ("works", 4) where path[2] == "fulfill":
      self = isRead ? .fulfil(path[1], mechanism: path[3]) : .unknown
    case ("works", 4...5) where path[3] == "borrow":
      let id = Self.id(path[2])
      // The way back of the borrowing draft.
      if method == .delete {
        self = .revoke(id)
      } else {
        self = isDeed ? .borrow(id, mechanism: path.count == 5 ? path[4] : nil) : .unknown
      }
    case ("lcp", 2): self = isRead && path[1] == "root.pem" ? .licenceRoot : .unknown
    case ("lcp", 3):
      switch (path[2], method) {
      case ("status", _) where isRead: self = .licenceStatus(path[1])
      case ("licence", _) where isRead: self = .freshLicence(path[1])
      case ("register", .post), ("return", .put), ("renew", .put):
        self = .licenceDeed(path[1], path[2])
      default: self = .unknown
      }
    case ("covers", 2): self = isRead ? .cover(path[1]) : .unknown
    case ("content", 3): self = isRead ? .content(path[1]) : .unknown
    default: self = .unknown
    }
  }

  init(distributor path: [String], _ method: Method) {
    let isRead = method == .get || method == .head
    switch (path.first ?? "", path.count) {
    case ("", _): self = isRead ? .rights : .unknown
    case ("titles", 2): self = isRead ? .right(path[1]) : .unknown
    case ("rights", 2): self = isRead ? .rightInfo(path[1]) : .unknown
    case ("checkouts", 1): self = method == .post ? .checkout : .unknown
    default: self = Self(lender: path, method)
    }
  }

  init(press path: [String]) {
    switch (path.first ?? "", path.count) {
    case ("feeds", 2...4) where path[1] == "opds":
      switch (path.count > 2 ? path[2] : "", path.count) {
      case ("", _): self = .pressRoot
      case ("all", 3): self = .pressAll
      case ("new-releases", 3): self = .pressNew
      case ("subjects", 3): self = .pressSubjects
      case ("subjects", 4): self = .pressSubject(path[3])
      default: self = .unknown
      }
    case ("opensearch", 1): self = .pressSearch
    case ("ebooks", 1): self = .pressSearch
    case ("ebooks", 2): self = .pressBook(path[1])
    case ("covers", 2): self = .cover(path[1])
    case ("ebooks", 4): self = .content(path[3])
    default: self = .unknown
    }
  }

  init(calibre path: [String], _ query: FormFields) {
    switch (path.first ?? "", path.count) {
    case ("opds", 1): self = .calibreRoot
    case ("opds", 3) where path[1] == "navcatalog": self = .calibreList(path[2])
    case ("opds", 3) where path[1] == "search": self = .calibreSearch(path[2])
    case ("opds", 2) where path[1] == "search": self = .calibreSearch(query["query"] ?? "")
    case ("opds", 2) where path[1] == "opensearch.xml": self = .calibreDescription
    case ("get", 4) where path[1] == "cover" || path[1] == "thumb": self = .cover(path[2])
    case ("get", 4): self = .content("\(path[2]).\(path[1])")
    default: self = .unknown
    }
  }

  private static func id(_ urn: String) -> String {
    urn.hasPrefix("urn:uuid:") ? String(urn.dropFirst(9)) : urn
  }
}
