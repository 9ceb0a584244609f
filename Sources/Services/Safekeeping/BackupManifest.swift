import Database
package import JSON

/// What a backup says of itself: the last but one of its members, since only then all is known.
package struct BackupManifest: Sendable, Hashable {
  package struct Table: Sendable, Hashable {
    package let name: String
    let columns: [Column]
    package var rows = 0
    /// A sum over all rows, whatever their order.
    var digest = ""
    var lastNumber: Int64?
  }

  struct Column: Sendable, Hashable {
    let name: String
    /// In the form that the engines share.
    let kind: Kind
  }

  package struct Member: Sendable, Hashable {
    package let name: String
    package let size: Int
    package let digest: String
  }

  static let form = "carrel-backup/1"
  static let name = "manifest.json"
  static let proof = "manifest.sha256"

  package let madeAt: String
  package let madeBy: String
  package let engine: String
  let migrations: [AppliedMigration]
  package var tables: [Table] = []
  package var members: [Member] = []
  /// Book files that were gone before they could be read.
  package var missing: [String] = []
  package var hasBooks = false
  package var hasKeys = false

  package var rows: Int { tables.reduce(0) { $0 + $1.rows } }
  package var books: Int { members.count { $0.name.hasPrefix(BookMember.folder) } }
  package var bytes: Int { members.reduce(0) { $0 + $1.size } }
}

extension BackupManifest {
  var json: JSONValue {
    [
      "form": .string(Self.form), "made_at": .string(madeAt), "made_by": .string(madeBy),
      "engine": .string(engine),
      "migrations": .array(
        migrations.map { ["service": .string($0.service), "name": .string($0.name)] }),
      "tables": .array(tables.map(\.json)),
      "books": .bool(hasBooks), "missing_books": .array(missing.map(JSONValue.string)),
      "vault_keys": .bool(hasKeys),
      "members": .array(
        members.map {
          ["name": .string($0.name), "size": .integer($0.size), "sha256": .string($0.digest)]
        }),
    ]
  }

  init(_ bytes: [UInt8]) throws(BackupError) {
    do {
      let rules = JSONRules(maximumBytes: bytes.count, maximumValues: 1 << 24)
      try self.init(JSONCursor(try JSONValue(parsing: bytes, by: rules)))
    } catch let error as BackupError {
      throw error
    } catch {
      throw .damaged(member: Self.name)
    }
  }

  private init(_ json: JSONCursor) throws {
    let form = try json["form"].string()
    guard form == Self.form else { throw BackupError.newer(form) }
    madeAt = try json["made_at"].string()
    madeBy = try json["made_by"].string()
    engine = try json["engine"].string()
    migrations = try json["migrations"].elements().map {
      AppliedMigration(service: try $0["service"].string(), name: try $0["name"].string())
    }
    tables = try json["tables"].elements().map(Table.init)
    hasBooks = try json["books"].bool()
    missing = try json["missing_books"].elements().map { try $0.string() }
    hasKeys = try json["vault_keys"].bool()
    members = try json["members"].elements().map {
      Member(
        name: try $0["name"].string(), size: try $0["size"].integer(),
        digest: try $0["sha256"].string())
    }
  }
}

extension BackupManifest.Table {
  init(_ shape: TableShape) {
    name = shape.name
    columns = shape.columns.map {
      .init(name: $0.name, kind: $0.kind == .boolean ? .integer : $0.kind)
    }
  }

  fileprivate var json: JSONValue {
    var object: JSONObject = [
      "name": .string(name), "rows": .integer(rows), "digest": .string(digest),
      "columns": .array(
        columns.map { ["name": .string($0.name), "kind": .string($0.kind.rawValue)] }),
    ]
    object["last_number"] = lastNumber.map { .integer(Int($0)) }
    return .object(object)
  }

  fileprivate init(_ json: JSONCursor) throws {
    name = try json["name"].string()
    rows = try json["rows"].integer()
    digest = try json["digest"].string()
    lastNumber = try json["last_number"].ifPresent.map { Int64(try $0.integer()) }
    columns = try json["columns"].elements().map { column in
      guard let kind = Kind(rawValue: try column["kind"].string()) else {
        throw column["kind"].mismatch("a kind of column")
      }
      return .init(name: try column["name"].string(), kind: kind)
    }
  }
}
