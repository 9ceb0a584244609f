import Circulation
import Desk

extension DeskError {
  var word: String {
    switch self {
    case .provider(let error): error.reason.code
    case .database: "database"
    case .unopened: "unopened"
    case .unlinked: "unlinked"
    case .attemptDiffers: "attempt differs"
    case .attemptEnded(let ending): "ended: \(ending)"
    }
  }
}

extension Borrowing {
  var word: String {
    switch self {
    case .lent: "lent"
    case .had: "had"
    case .allOut: "all out"
    case .waiting: "waiting"
    case .inDoubt: "in doubt"
    }
  }
}

extension Outcome {
  var word: String {
    switch self {
    case .done: "done"
    case .already: "already"
    case .inDoubt: "in doubt"
    }
  }
}

extension Sync {
  var word: String {
    switch result {
    case .success: "good"
    case .failure(let error): error.word
    }
  }
}
