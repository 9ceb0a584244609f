/// What somebody sends along with a question, before it is written anywhere: files without secrets.
package struct SupportArchive: Sendable {
  package struct File: Sendable {
    package let name: String
    package let bytes: [UInt8]
    /// What it holds, in words.
    package let about: String

    package init(_ name: String, _ about: String, _ bytes: [UInt8]) {
      (self.name, self.about, self.bytes) = (name, about, bytes)
    }
  }

  package let files: [File]
  /// All of them as one tar archive.
  package let bytes: [UInt8]

  package init(files: [File], bytes: [UInt8]) { (self.files, self.bytes) = (files, bytes) }
}
