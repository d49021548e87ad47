/** Says who asks, and where the operator of a service finds them. The version is that of package.json. */
export const defaultUserAgent =
  'gene-panel-notifier/0.1.0 (+https://github.com/gene-panel-notifier/gene-panel-notifier)';
