// The smallest program that the optimizer of Swift 6.3.1 breaks: see docs/explanation/optimizer-fault.md.
// Each line of its output is a shape of code and whether the shape's result was right.

struct Trouble: Error {}

@inline(never) func answer(to question: Int) async throws(Trouble) -> Int {
  guard question > 0 else { throw Trouble() }
  return question * 2
}

/// Stands for a generic function of another module, which is not specialized for its closure.
@_semantics("optimize.sil.specialize.generic.never") @inline(never)
func run<Output: Sendable>(_ body: @Sendable () async -> Output) async -> Output { await body() }

struct Pair {
  let question: Int
  let answer: Int
}

func report(_ shape: String, _ expected: Int, _ question: Int, _ answer: Int) {
  print(shape, question == expected && answer == expected * 2 ? "right" : "wrong")
}

@main struct Main {
  static func main() async {
    // Not known to the compiler.
    let question = 1_234_567 + CommandLine.arguments.count

    let child = await withTaskGroup(of: (Int, Int).self) { group in
      group.addTask {
        do { return (question, try await answer(to: question)) } catch { return (question, -1) }
      }
      return await group.next()!
    }
    report("child-tuple", question, child.0, child.1)

    let task = Task { () async -> (Int, Int) in
      do { return (question, try await answer(to: question)) } catch { return (question, -1) }
    }
    let (taskQuestion, taskAnswer) = await task.value
    report("task-tuple", question, taskQuestion, taskAnswer)

    let closure = await run { () async -> (Int, Int) in
      do { return (question, try await answer(to: question)) } catch { return (question, -1) }
    }
    report("closure-tuple", question, closure.0, closure.1)

    let named = await withTaskGroup(of: Pair.self) { group in
      group.addTask {
        do {
          return Pair(question: question, answer: try await answer(to: question))
        } catch {
          return Pair(question: question, answer: -1)
        }
      }
      return await group.next()!
    }
    report("child-struct", question, named.question, named.answer)

    let bound = await run { () async -> (Int, Int) in
      do {
        let answer = try await answer(to: question)
        return (question, answer)
      } catch { return (question, -1) }
    }
    report("awaited-before", question, bound.0, bound.1)
  }
}
