import { expect, test } from 'vitest';
import { type ActivityRow, type InvalidRow, readLogRows } from '../../lambdas/catalogue/log-row.ts';
import { type ClassifiedRow, classifyRow, type UnrecognisedRow } from '../../lambdas/classifier/classify.ts';

/**
 * A good row must never become an invalid one on its way: `npm run types` fails where the compiler accepts one of these
 * assignments, since a directive that expects an error then finds none.
 */
function assignments(read: ActivityRow, unrecognised: UnrecognisedRow, invalid: InvalidRow): void {
  // @ts-expect-error A row that was read is not classified yet.
  const unclassified: ClassifiedRow = read;
  // @ts-expect-error A row whose text is unrecognised is a valid row.
  const asInvalid: InvalidRow = unrecognised;
  // @ts-expect-error A row that was read is a valid row.
  const readAsInvalid: InvalidRow = read;
  // @ts-expect-error An invalid row has no activity.
  const asUnrecognised: UnrecognisedRow = invalid;
  // @ts-expect-error What is classified is not read a second time.
  const readAgain: ActivityRow = unrecognised;
  void [unclassified, asInvalid, readAsInvalid, asUnrecognised, readAgain];
}

test('the kinds of row are types that the compiler keeps apart, and each row has one of them', () => {
  expect(assignments).toBeTypeOf('function');
  const row = {
    created: '2026-01-31T12:00:00Z',
    panel_name: 'Hearing loss',
    panel_id: 12,
    panel_version: '2.1',
    user_name: 'Eleanor Vance',
    item_type: 'entity',
    text: 'commented on gene: BRCA1: new',
    entity_name: 'BRCA1',
    entity_type: 'gene',
  };
  const rows = readLogRows([row, { ...row, text: 'of no known wording' }, { ...row, panel_id: 'x' }]);
  expect(rows.map(({ kind }) => kind)).toStrictEqual(['activity', 'activity', 'invalid']);
  expect(rows.map((one) => classifyRow(one).kind)).toStrictEqual(['recognised', 'unrecognised', 'invalid']);
});
