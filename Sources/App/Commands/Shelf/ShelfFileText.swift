import Arguments

/// The forms of list files by the names of those who made them.
enum ShelfFileText {
  static let read = [
    "goodreads", "storygraph", "bookwyrm", "librarything", "open-library", "openreads", "calibre",
    "generic", "isbn", "json",
  ]
  static let written = ["goodreads", "storygraph", "bookwyrm", "librarything", "json", "isbn"]

  static let from = Option(
    "from", Kind<String>.choice("FORMAT", of: read),
    "Who wrote the file, where that is not found out by itself.")
  static let format = Option(
    "format", Kind<String>.choice("FORMAT", of: written), default: "json",
    "The form to write it in.", common: true)

  static let importing = """
    Takes the exports of Goodreads, StoryGraph, BookWyrm, LibraryThing, Open Library, Openreads \
    and calibre, our own JSON, any table with titles or ISBNs over its columns, and plain lists of \
    ISBNs; in UTF-8, UTF-16 or Latin letters. Every row is counted. The same file once more \
    changes nothing, and one that was put right changes what is other. What was not understood is \
    kept as it is and goes out again with carrel list export. Rows that were not taken go to the \
    file of --rejects, to be put right there and brought in again.
    """
  static let exporting = """
    json has everything; the others are what services take. What a form has no place for, such as \
    quarters of stars or several readings, is counted and told. isbn is one number a line.
    """
}
