extension Stylesheet {
  /// The page of one book.
  static let bookStyle = """
    .work { display: grid; gap: 1.25rem 2.5rem; grid-template-columns: minmax(0, 1fr); }
    .work > .cover { inline-size: min(11rem, 52%); margin-inline: auto; }
    .work .subtitle { font-size: 1.0625rem; margin-block: -.25rem .5rem; }
    .work .told > .small:first-child { margin-block: 0; }
    .work .who a { display: inline-block; padding-block: .2rem; }
    .work section { margin-block: 0; min-inline-size: 0; }
    .offers { margin-block: 1rem !important; }
    .offers li {
      padding: 1rem 1.1rem; border: 1px solid var(--line); border-radius: .75rem;
      background: var(--card);
    }
    .offers li + li { margin-block-start: .6rem; }
    .offers p { margin: 0; }
    .offers .state { font-size: 1rem; font-weight: 600; }
    .offers .small { margin-block-start: .2rem; }
    .offers li > p:last-child > .button { margin-block-start: .75rem; }
    .about { max-inline-size: 40rem; font-size: 1.0625rem; line-height: 1.6; }
    .about p { margin-block: .6rem; }
    .facts dl { margin-block: .5rem; }
    .facts dl div {
      display: grid; grid-template-columns: 7rem minmax(0, 1fr); padding-block: .25rem;
    }
    .facts dt { color: var(--soft); }
    .facts dd { margin: 0; }
    @media (min-width: 46rem) {
      .work { grid-template-columns: 15rem minmax(0, 1fr); }
      .work > .cover { inline-size: 100%; grid-row: span 3; align-self: start; }
      .work > :not(.cover) { grid-column: 2; }
    }
    @media (min-width: 70rem) {
      .work { grid-template-columns: 18rem minmax(0, 1fr); }
    }

    """
}
