import type { SweepReport } from '../reconcile/sweep-report.ts';

/** Why a sweep trusted nothing of the lists that it read, as a clause. */
export const refusalWords: Readonly<Record<NonNullable<SweepReport['refusal']>, string>> = {
  incomplete: 'the listings could not be read completely',
  empty: 'the listing has no panel',
  shrunken: 'too many panels or regions are gone from the listings',
  renumbered: 'the catalogue was renumbered: many panels are listed by the same name under another id',
  'mass-change': 'many panels have the same kind of change',
  outdated: 'the listing is older than the last one',
  'sign-offs': 'the list of signed-off versions changed for many panels without a row of the log',
};
