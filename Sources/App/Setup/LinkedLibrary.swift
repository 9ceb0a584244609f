/// A library that the large program is linked with, as it names itself.
package struct LinkedLibrary: Sendable, Hashable {
  package let name: String
  package let version: String

  package init(_ name: String, _ version: String) { (self.name, self.version) = (name, version) }
}
