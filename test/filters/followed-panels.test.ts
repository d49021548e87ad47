import { expect, test } from 'vitest';
import { followedPanels, idsOfFollowed } from '../../lambdas/filters/followed-panels.ts';

const facts = { types: [] as string[], relevantDisorders: [] as string[] };
const listed = new Map([
  [1, { name: 'Hearing loss', facts }],
  [
    2,
    { name: 'Epilepsy', facts: { ...facts, relevantDisorders: ['R59 Early onset or syndromic epilepsy'] } },
  ],
  [3, { name: 'Skin', facts: { ...facts, types: ['gms-signed-off'] } }],
  [4, { name: 'Bone', facts }],
]);

test.each([
  ['by number', { panels: [1] }, [1]],
  ['by name, in any letter case', { panels: ['hearing LOSS'] }, [1]],
  ['by a code of the test directory', { rCodes: ['r59'] }, [2]],
  ['by type', { panelTypes: ['gms-signed-off'] }, [3]],
  ['of another catalogue', { panels: [1], catalogues: ['australia'] }, []],
  ['by a gene alone', { genes: ['BRCA1'] }, []],
])('panels that a filter names %s are followed', (_, filter, expected) => {
  expect([...idsOfFollowed(followedPanels([filter], 'uk'), listed)]).toEqual(expected);
});
