extension TestArchive {
  /// A book of one package, which lies at the root of the archive, with what it is made of.
  package static func book(_ package: String, _ entries: [Entry]) -> TestArchive {
    TestArchive(
      [
        Entry("mimetype", "application/epub+zip"),
        Entry(
          "META-INF/container.xml",
          """
          <container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>\
          <rootfile full-path="book.opf" media-type="application/oebps-package+xml"/>\
          </rootfiles></container>
          """),
        Entry("book.opf", package),
      ] + entries)
  }
}
