extension LanesFile {
  /// What is built in, as a file would say it: where somebody who wants other lanes begins.
  package static let builtIn = """
    # The lanes that readers browse, in this order; `carrel lane list` shows them. What may stand
    # here is told in the head of config/lanes.yaml, which comes with carrel.

    lanes:
      - name: new
        title: New
        added: 180d
        sort: added

      - name: featured
        title: Featured
        by: list
        works: []
        isbns: []
        otherwise:
          best_liked: 300
          available: now

      - name: popular
        title: Popular
        best_liked: 1000

      - name: available
        title: Available now
        available: now

      - name: to-hold
        title: To hold
        available: queued

      - name: recommended
        title: Recommended
        by: recommendation

      - name: genres
        title: By genre
        by: genre

    """
}
