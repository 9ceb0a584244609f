/// How a service sends requests. A value and not the client itself, so that pacing, retries and
/// tokens can be laid around it, and recorded answers put in its place.
package struct Transport: Sendable {
  package let send: @Sendable (Request) async throws(TransportError) -> Reply

  package init(send: @escaping @Sendable (Request) async throws(TransportError) -> Reply) {
    self.send = send
  }
}
