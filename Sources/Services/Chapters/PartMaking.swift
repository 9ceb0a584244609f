package import EPUB

/// Makes the parts of books one at a time, over all books: it takes the processor, of whose threads there
/// are few, and the others serve what else is asked for. A client that left is not worked for.
package actor PartMaking {
  package func make<Part: Sendable>(
    _ body: @Sendable () throws(ResourceError) -> Part
  ) throws(ResourceError) -> Part {
    if Task.isCancelled { throw .missing }
    return try body()
  }
}
