"""The vocabulary of the web. Reading order: url, fetch, html, links, page; then robots, sitemap, feeds, freshness."""
