import { expect, test } from 'vitest';
import { readingOrder } from '../../lambdas/reconcile/prove-panels.ts';
import type { Listing } from '../../lambdas/store/listing.ts';
import { madeUpState } from './made-up-states.ts';

const facts = { types: [], diseaseGroup: '', diseaseSubGroup: '', relevantDisorders: [], signedOff: false };
const panel = (version: string, at: bigint) => ({ name: 'A panel', facts, versions: [{ version, at }] });
const listing: Listing = {
  panels: new Map([
    [1, panel('1.1', 10n)],
    [2, panel('2.0', 30n)],
    [3, panel('3.0', 20n)],
    [4, panel('4.1', 5n)],
    [5, panel('5.0', 1n)],
  ]),
  typeSlugs: new Map(),
  readAt: 100n,
  listedAt: 0,
  requests: { readings: [], absent: [], notBefore: null },
};
const kept = new Map([
  [1, madeUpState({ panelId: 1, version: '1.0', proof: { kind: 'baseline' } })],
  [5, madeUpState({ panelId: 5, version: '5.0', proof: { kind: 'baseline' } })],
]);

test('new versions come first, then followed panels, then those whose rows came last; what is done is left out', () => {
  expect(readingOrder({ listing, kept, first: new Set([4]), due: new Set() })).toEqual([1, 4, 2, 3]);
});
