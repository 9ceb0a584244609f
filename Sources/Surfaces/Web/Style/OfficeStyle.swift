extension Stylesheet {
  /// The pages of operators: tables, trees and forms.
  static let officeStyle = """
    .rooms { display: grid; gap: .75rem; margin-block: 1.25rem;
      grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr)); }
    .rooms a { display: grid; gap: .2rem; block-size: 100%; padding: 1rem 1.1rem; color: inherit;
      text-decoration: none; background: var(--card); border: 1px solid var(--line);
      border-radius: .75rem; align-content: start; }
    .rooms a:hover { border-color: var(--accent); }
    .rooms .title { font-size: 1.125rem; }
    .table { inline-size: 100%; border-collapse: collapse; margin-block: 1rem;
      font-size: .9375rem; }
    .table th, .table td { text-align: start; vertical-align: top; padding: .65rem .75rem;
      border-block-end: 1px solid var(--line); font-weight: 400; }
    .table :is(th, td):first-child { padding-inline-start: 0; }
    .table thead th { font-size: .8125rem; color: var(--soft); font-weight: 600; }
    .table tbody th { font-weight: 600; }
    .table tbody th .small { display: block; font-weight: 400; }
    .table .button, .members .button { padding-inline: .9rem; font-size: .875rem;
      white-space: nowrap; }
    .tabs ~ section:not(.tabs + section) { margin-block-start: 1.75rem; }
    @media (max-width: 52rem) {
      .table, .table :is(tbody, tr, th, td) { display: block; }
      .table thead { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden;
        clip-path: inset(50%); }
      .table tbody tr { padding: .9rem 1rem; margin-block-end: .6rem; background: var(--card);
        border: 1px solid var(--line); border-radius: .75rem; }
      .table tbody :is(th, td) { border: 0; padding: .2rem 0; }
      .table tbody th { font-size: 1.0625rem; }
      .table td:not([data-label=""]) { display: grid; gap: .75rem;
        grid-template-columns: 8rem minmax(0, 1fr); }
      .table td:not([data-label=""])::before { content: attr(data-label); color: var(--soft); }
      .table td.none { display: none; }
    }
    .stack { display: grid; gap: .9rem; max-inline-size: 40rem; margin-block: .75rem 1.5rem;
      justify-items: start; }
    .stack > * { inline-size: 100%; }
    .stack > .button { inline-size: auto; }
    .stack > label, legend { font-weight: 600; }
    fieldset { border: 0; padding: 0; margin: 0; }
    input[type=radio] { inline-size: 1.25rem; min-block-size: 1.25rem; block-size: 1.25rem;
      accent-color: var(--accent); flex: none; }
    textarea { inline-size: 100%; padding: .6rem .9rem; font: inherit; color: inherit;
      background: var(--card); border: 1px solid var(--soft); border-radius: .6rem; }
    .code { font: .875rem/1.5 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace;
      white-space: pre; overflow-x: auto; tab-size: 2; }
    .tree { margin-block: .5rem; }
    .tree .tree { margin: 0; padding-inline-start: 1.25rem;
      border-inline-start: 1px solid var(--line); }
    .tree a, .plainlist a { display: inline-block; padding-block: .2rem; }
    .plainlist { margin-block: .5rem; }
    .members > li { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center;
      justify-content: space-between; padding-block: .7rem;
      border-block-end: 1px solid var(--line); }
    .members .told > span { display: block; }
    .members .told { flex: 1 1 14rem; }
    .members .actions { margin: 0; }
    .danger { border: 1px solid var(--line); border-radius: .75rem; padding: .25rem 1.1rem;
      background: var(--card); max-inline-size: 40rem; }
    .danger summary { min-block-size: 2.75rem; display: flex; align-items: center;
      cursor: pointer; color: var(--accent); font-weight: 600; }
    .danger form { margin-block-end: 1rem; }

    """
}
