extension Stylesheet {
  /// The pages beside a book: its contents, what was found, notes, how pages look, its end.
  static let readerPageStyle = """
    .back a { display: inline-block; padding-block: .5rem; text-decoration: none; }
    .contents a, .contents span {
      display: block; padding: .6rem .75rem; color: var(--ink); text-decoration: none;
      border-block-end: 1px solid var(--line);
    }
    .contents a:hover { background: var(--accent-soft); }
    .contents [aria-current] { color: var(--accent); font-weight: 600; }
    .depth1 > * { padding-inline-start: 2rem; } .depth2 > * { padding-inline-start: 3.25rem; }
    .depth3 > * { padding-inline-start: 4.25rem; }
    .depth4 > *, .depth5 > *, .depth6 > * { padding-inline-start: 5rem; }
    .hits a { color: var(--ink); text-decoration: none; display: inline-block; padding-block: .5rem; }
    .hits a:hover { text-decoration: underline; }
    .hits li + li { border-block-start: 1px solid var(--line); }
    .hits .chapter { padding-block: 1rem .25rem; border: 0; }
    mark { background: #ffe08a; color: #1a1a1a; border-radius: .15rem; padding-inline: .1em; }
    .marks > li { padding-block: .9rem; border-block-end: 1px solid var(--line); }
    .marks .quote {
      display: block; font-family: var(--serif); color: var(--ink); text-decoration: none;
      padding-inline-start: .75rem; border-inline-start: 4px solid var(--line);
    }
    a.quote.yellow { border-color: #d9a800; } a.quote.green { border-color: #3f8f2f; }
    a.quote.blue { border-color: #2f7fc4; } a.quote.pink { border-color: #d0457a; }
    a.quote.orange { border-color: #d97a12; } a.quote.purple { border-color: #7e4fd0; }
    .marks .note { white-space: pre-wrap; }
    .edit { display: grid; gap: .5rem; margin-block: .75rem; }
    .field textarea, .field select {
      inline-size: 100%; padding: .5rem .75rem; font: inherit; color: inherit; background: var(--card);
      border: 1px solid var(--soft); border-radius: .6rem; min-block-size: 2.75rem;
    }
    summary.button { list-style: none; }
    .display { display: grid; gap: .75rem; max-inline-size: 40rem; }
    .display fieldset { border: 0; padding: 0; margin: 0; display: flex; flex-wrap: wrap; gap: .4rem; }
    .display legend { font-weight: 600; padding: 0; margin-block-end: .25rem; }
    .pick { position: relative; }
    .display .pick input {
      position: absolute; inset: 0; opacity: 0; margin: 0; inline-size: 100%; block-size: 100%;
      cursor: pointer;
    }
    .pick span {
      display: inline-flex; align-items: center; min-block-size: 2.75rem; padding-inline: .9rem;
      border: 1px solid var(--soft); border-radius: .6rem;
    }
    .pick input:checked + span { border: 2px solid var(--accent); color: var(--accent); font-weight: 600; }
    .pick input:focus-visible + span { outline: 3px solid var(--accent); outline-offset: 2px; }
    .colors-black span { background: #fff; color: #1a1a1a !important; }
    .colors-sepia span { background: #f6ecd9; color: #3b2a1a !important; }
    .colors-white span { background: #101010; color: #e8e6e3 !important; }
    .theend { text-align: center; max-inline-size: 32rem; margin-inline: auto; }
    .theend .cover { inline-size: 9rem; margin: 1rem auto 1.5rem; }
    .theend .lead { margin-inline: auto; }
    .theend .actions { justify-content: center; margin-block: 1.5rem; }
    .stars button {
      font-size: 2rem; line-height: 1; min-inline-size: 2.75rem; min-block-size: 2.75rem;
      border: 0; background: none; color: var(--accent); cursor: pointer; padding: 0;
    }
    .address { overflow-wrap: anywhere; }

    """
}
