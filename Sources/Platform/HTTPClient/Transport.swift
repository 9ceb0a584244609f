/// How a service sends requests. A value and not the client itself, so that pacing, retries and
/// tokens can be laid around it, and recorded answers put in its place. Whatever stands in for the
/// client gives a request's sink the final head once, then the body if the sink takes it.
package struct Transport: Sendable {
  package let send: @Sendable (Request) async throws(TransportError) -> Reply

  package init(send: @escaping @Sendable (Request) async throws(TransportError) -> Reply) {
    self.send = send
  }
}
