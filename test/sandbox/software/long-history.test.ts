import { expect, test } from 'vitest';
import { seededRandom } from '../../../sandbox/seeded-random.ts';
import { isPublic } from '../../../sandbox/software/actions/panel.ts';
import { startSoftware } from '../../../sandbox/software/software.ts';

const now = Date.UTC(2026, 10, 1) * 1000;

test('a catalogue that has run out of public panels publishes internal ones', () => {
  const software = startSoftware({ codeLine: 'au', random: seededRandom(1), now, history: 300 });
  for (const panel of software.panels.filter(isPublic)) software.setStatus(panel, 'internal', now);
  expect(software.panels.filter(isPublic)).toHaveLength(0);
  for (let action = 0; action < 100; action += 1) software.act(now);
  expect(software.panels.filter(isPublic).length).toBeGreaterThan(4);
});
