import type { Filter } from 'gene-panel-notifier/consumer';

/**
 * Genes that turn green on the panels of the laboratory's tests. `unknown` means that the earlier rating is unknown: the
 * gene may have turned green. SNS and the function both use this filter, because SNS cannot decide R codes.
 */
export const greenGenes = (rCodes: readonly string[]): Filter => ({
  to: ['green'],
  direction: ['upgraded', 'new', 'unknown'],
  rCodes: [...rCodes],
});

/** Sign-offs of the panels of the laboratory's tests. */
export const signOffs = (rCodes: readonly string[]): Filter => ({
  types: ['panel.signed-off'],
  rCodes: [...rCodes],
});
