package import HTTPServer
package import Registry

extension Request {
  /// The answer rests on this: it is broken off when that has ended.
  package func rests(on basis: SignInBasis) { permit(by: AnswerPermit(basis)) }
}

extension OpenAnswers {
  /// From now on answers are broken off whose sign-in has ended, at whichever gateway. While the
  /// database cannot be asked, they go on.
  package func follow(_ registry: Registry) {
    ask { permits in
      let bases = permits.compactMap { $0.grounds as? SignInBasis }
      return try? await Set(registry.open(among: Set(bases)).map { AnswerPermit($0) })
    }
  }
}
