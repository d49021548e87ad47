/** Names the program that asks and where to find its operators. The version is that of package.json. */
export const defaultUserAgent =
  'gene-panel-notifier/0.2.0 (+https://github.com/gene-panel-notifier/gene-panel-notifier)';
