import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../sandbox/seeded-random.ts';
import { panelItem, regionItem } from '../../../sandbox/software/listing.ts';
import { silentKinds } from '../../../sandbox/software/silent-kinds.ts';
import { startSoftware } from '../../../sandbox/software/software.ts';

describe('a change without a row', () => {
  const style = { codeLine: 'au', zone: 'utc' } as const;
  for (const { kind } of silentKinds) {
    test(`${kind} shows in the listings and nowhere else`, () => {
      const software = startSoftware({
        codeLine: 'au',
        random: seededRandom(7),
        now: Date.UTC(2026, 0, 31) * 1000,
        history: 300,
      });
      const listed = (): string =>
        JSON.stringify(
          software.panels.map((panel) => [
            panelItem(panel, style),
            panel.entities
              .filter(({ type }) => type === 'region')
              .map((region) => regionItem(region, panelItem(panel, style))),
          ]),
        );
      const before = listed();
      // A change may find nothing to change where it is drawn.
      for (let tries = 0; tries < 40 && listed() === before; tries += 1) {
        expect(software.act(Date.UTC(2026, 0, 31) * 1000 + tries, kind).rows).toEqual([]);
      }
      expect(listed()).not.toBe(before);
    });
  }
});
