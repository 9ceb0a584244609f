import Setup
import Web

/// What the gateway runs with, and under which terms each is given out.
enum Credits {
  static let all: [OwnStock.Credit] =
    linkedLibraries.map { library in
      OwnStock.Credit(library.name, library.version, licenses[library.name] ?? "see its own words")
    } + [
      OwnStock.Credit("libgd", "", "GD license"),
      OwnStock.Credit("libhyphen", "", "GPL 2, LGPL 2.1 or MPL 1.1"),
      OwnStock.Credit("libunistring", "", "LGPL 3 or GPL 2"),
      OwnStock.Credit("libzbar", "", "LGPL 2.1"),
      OwnStock.Credit("Swift", "", "Apache 2.0 with runtime exception"),
    ]

  static let licenses = [
    "bzip2": "bzip2 license", "libcurl": "curl license", "libevent": "BSD, 3 clauses",
    "libpq": "PostgreSQL license", "libxml2": "MIT", "libyaml": "MIT",
    "libzint": "BSD, 3 clauses", "libzip": "BSD, 3 clauses", "llhttp": "MIT",
    "openssl": "Apache 2.0", "sqlite": "public domain", "zlib": "zlib license",
  ]
}
