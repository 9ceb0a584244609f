/// Runs `work` on every input at the same time and returns the outputs in the order of the inputs.
/// Where several fail, the error of the first input among them is thrown, after all have ended.
package func concurrently<Input: Sendable, Output: Sendable, Failure: Error>(
  _ inputs: some Sequence<Input>,
  _ work: @escaping @Sendable (Input) async throws(Failure) -> Output
) async throws(Failure) -> [Output] {
  let results = await withTaskGroup(of: Numbered<Result<Output, Failure>>.self) { group in
    var results: [Result<Output, Failure>?] = []
    for (index, input) in inputs.enumerated() {
      results.append(nil)
      group.addTask {
        do throws(Failure) {
          let output = try await work(input)
          return Numbered(index: index, value: .success(output))
        } catch {
          return Numbered(index: index, value: .failure(error))
        }
      }
    }
    for await result in group { results[result.index] = result.value }
    return results
  }
  var outputs: [Output] = []
  for case let result? in results { outputs.append(try result.get()) }
  return outputs
}

/// A child task returns a named type and no tuple: docs/explanation/optimizer-fault.md says why.
private struct Numbered<Value: Sendable>: Sendable {
  let index: Int
  let value: Value
}
