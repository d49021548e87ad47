import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { isPublic } from '../../../sandbox/software/actions/panel.ts';
import { startSoftware } from '../../../sandbox/software/software.ts';
import type { StatedField } from '../../../sandbox/software/state.ts';
import { seededRandom } from '../../../sandbox/software/values.ts';

const now = Date.UTC(2026, 10, 1) * 1000;

test('a catalogue that has run out of public panels publishes internal ones', () => {
  const software = startSoftware({ codeLine: 'au', random: seededRandom(1), now, history: 300 });
  for (const panel of software.panels.filter(isPublic)) software.setStatus(panel, 'internal', now);
  expect(software.panels.filter(isPublic)).toHaveLength(0);
  for (let action = 0; action < 100; action += 1) software.act(now);
  expect(software.panels.filter(isPublic).length).toBeGreaterThan(4);
});

test.each(['uk-2019', 'au'] as const)(
  'a curator of the %s catalogue changes no field to what it is',
  (codeLine) => {
    const software = startSoftware({ codeLine, random: seededRandom(2), now, history: 300 });
    const facts = Array.from({ length: 1500 }, () => software.act(now)).flatMap(({ truth }) => truth);
    const changes = facts.flatMap(({ change }) =>
      'changes' in change ? (change.changes as readonly StatedField[]) : [],
    );
    const edited = changes.filter(
      ({ field, to }) =>
        /^(phenotypes|modeOfInheritance|modeOfPathogenicity)$/.test(String(field)) &&
        // The form of a mitochondrial gene shows its new mode twice.
        to !== 'MITOCHONDRIAL',
    );
    expect(edited.length).toBeGreaterThan(50);
    const unchanged = edited.filter(({ from, to }) => to !== undefined && isDeepStrictEqual(from, to));
    expect(unchanged).toStrictEqual([]);
  },
);
