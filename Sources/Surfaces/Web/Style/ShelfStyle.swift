extension Stylesheet {
  /// Rows of covers, lists, and what they are chosen by.
  static let shelfStyle = """
    section { margin-block: 1.75rem 0; }
    main > section:first-of-type { margin-block-start: .5rem; }
    .head { display: flex; align-items: baseline; justify-content: space-between; flex-wrap: wrap;
      gap: 0 1rem; }
    .more {
      font-size: .9375rem; padding-block: .6rem; padding-inline-start: .75rem;
      text-decoration: none; white-space: nowrap;
    }
    .more::after { content: " ›"; }
    ul, ol { list-style: none; margin: 0; padding: 0; }
    .cover {
      display: block; inline-size: 100%; block-size: auto; aspect-ratio: 2 / 3; object-fit: cover;
      border-radius: .25rem .5rem .5rem .25rem; background: var(--line); box-shadow: var(--shade);
    }
    .row {
      display: grid; grid-auto-flow: column; grid-auto-columns: clamp(6.75rem, 28vw, 9rem);
      gap: 1rem; overflow-x: auto; overscroll-behavior-inline: contain;
      scroll-snap-type: x proximity;
      scrollbar-width: thin; scrollbar-color: var(--line) transparent;
      margin-inline: -1rem; padding: .4rem 1rem 1rem; scroll-padding-inline: 1rem;
    }
    .row li { scroll-snap-align: start; min-inline-size: 0; }
    .book { display: block; color: inherit; text-decoration: none; font-size: .875rem; }
    .book .cover { margin-block-end: .6rem; }
    .book span { display: block; line-height: 1.3; }
    .title { font-weight: 600; color: var(--ink); }
    .book .title {
      display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden;
    }
    .book .who { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
    .book:hover .title, .line:hover .title { text-decoration: underline; }
    .who { color: var(--soft); }
    .state { font-size: .8125rem; font-weight: 500; color: var(--soft); }
    .book .state { margin-block-start: .2rem; }
    .state.now { color: var(--good); }
    .state.mine, .state.soon { color: var(--accent); }
    .state.soon { font-weight: 700; }
    .due {
      display: block; inline-size: 100%; max-inline-size: 12rem; block-size: .25rem;
      margin-block: .4rem .3rem; appearance: none; border: 0; border-radius: 1rem;
      background: var(--line); overflow: hidden;
    }
    .due::-webkit-meter-inner-element { display: block; block-size: 100%; }
    .due::-webkit-meter-bar { block-size: 100%; background: var(--line); border: 0; }
    .due::-webkit-meter-optimum-value { block-size: 100%; background: var(--accent); }
    .due::-moz-meter-bar { background: var(--accent); }

    .list { display: grid; gap: .25rem 2rem; margin-block: .5rem 1.5rem; }
    .list > li {
      border-block-end: 1px solid var(--line); padding-block: .75rem; min-inline-size: 0;
    }
    ol.list > li {
      display: grid; grid-template: auto 1fr / 4rem minmax(0, 1fr); column-gap: 1rem;
    }
    .line {
      display: grid; grid-template-columns: 4rem minmax(0, 1fr); gap: 1rem;
      align-items: start;
      color: inherit; text-decoration: none;
    }
    ol.list .line { grid-area: 1 / 1 / 3 / 3; grid-template: subgrid / subgrid; row-gap: 0; }
    ol.list .line .cover { grid-row: 1 / 3; }
    .told { display: block; min-inline-size: 0; }
    .line .told > span { display: block; }
    .line .title { font-size: 1.0625rem; line-height: 1.3; }
    .line .who, .line .small { font-size: .875rem; }
    .line .state { margin-block-start: .25rem; }
    @media (min-width: 52rem) {
      .list { grid-template-columns: repeat(2, minmax(0, 1fr)); }
      .line, ol.list > li { grid-template-columns: 5rem minmax(0, 1fr); }
    }
    .actions { display: flex; flex-wrap: wrap; gap: .5rem; margin-block-start: .75rem; }
    .mine .actions { padding-inline-start: 5rem; margin-block-start: .5rem; }
    @media (min-width: 52rem) { .mine .actions { padding-inline-start: 6rem; } }
    .mine .button { padding-inline: 1rem; font-size: .9375rem; }

    .chips { display: flex; flex-wrap: wrap; gap: .5rem; margin-block: .75rem 1rem; }
    .chips a, .chips span:only-child {
      display: inline-flex; align-items: center; min-block-size: 2.5rem; padding-inline: .9rem;
      border: 1px solid var(--line); border-radius: 2rem; background: var(--card);
      color: var(--ink); text-decoration: none; font-size: .9375rem;
    }
    .chips a:hover { border-color: var(--accent); color: var(--accent); }
    .chosen a { background: var(--accent-soft); gap: .35rem; }
    .tools { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: start; }
    .sort, .tabs { display: flex; flex-wrap: wrap; align-items: center; gap: .125rem; }
    .sort a, .tabs a {
      display: inline-flex; align-items: center; gap: .35rem; min-block-size: 2.75rem;
      padding-inline: .7rem; color: var(--ink); text-decoration: none; font-size: .9375rem;
    }
    .sort a[aria-current], .tabs a[aria-current] {
      color: var(--accent); font-weight: 600; box-shadow: inset 0 -2px var(--accent);
    }
    @media (max-width: 26rem) {
      .sort a, .tabs a { padding-inline: .5rem; }
      .tabs a { padding-inline: .3rem; font-size: .875rem; gap: .2rem; }
      .sort .small { inline-size: 100%; }
    }
    .tabs { border-block-end: 1px solid var(--line); margin-block-end: .5rem; }
    .facets { flex: none; max-inline-size: 100%; }
    .facets[open] { flex: 1 1 100%; }
    .facets summary {
      display: inline-flex; align-items: center; gap: .4rem; min-block-size: 2.75rem;
      padding-inline: 1rem; border: 1px solid var(--line); border-radius: 2rem; cursor: pointer;
      background: var(--card); font-size: .9375rem;
    }
    .facets summary::before { content: "▾"; color: var(--soft); }
    .facets[open] summary::before { content: "▴"; }
    .groups {
      display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: 1rem 2rem;
      margin-block: .75rem; padding: 1rem 1.25rem; border: 1px solid var(--line);
      border-radius: .75rem; background: var(--card);
    }
    .groups h2 { font: 600 .875rem/1.4 var(--sans); color: var(--soft); }
    .groups a {
      display: inline-flex; align-items: center; gap: .4rem; min-block-size: 2.25rem;
      color: var(--ink); text-decoration: none;
    }
    .groups a:hover { color: var(--accent); }
    .groups a[aria-current] { color: var(--accent); font-weight: 600; }
    .groups a[aria-current]::before { content: "✓"; }
    .turns { display: flex; align-items: center; justify-content: center; gap: 1.5rem; }
    .turns a { padding: .75rem; }

    """
}
