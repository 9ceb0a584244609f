import Log

extension Handler {
  /// Lines that are written while a request is answered name it, and the reader once known.
  package func inLogScope(hash: @escaping @Sendable (String) -> String) -> Handler {
    answering { request in
      switch answer(request) {
      case .now(let response): return .now(response)
      case .later(let rest):
        return .later {
          let scope = LogScope(requestID: request.id.description, hash: hash)
          var response = await LogScope.$current.withValue(scope) { await rest() }
          response.patronHash = scope.patronHash
          return response
        }
      }
    }
  }
}

extension Request {
  /// It is known now who asks: lines of the log tell it by a hash.
  package func note(reader name: String) { LogScope.current?.note(reader: name) }
}
