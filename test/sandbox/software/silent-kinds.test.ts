import { expect, test } from 'vitest';
import { silentKinds } from '../../../sandbox/software/silent-kinds.ts';
import { startSoftware } from '../../../sandbox/software/software.ts';
import { seededRandom } from '../../../sandbox/software/values.ts';

test('each change of this list writes no row and changes the catalogue', () => {
  const now = Date.UTC(2026, 0, 31) * 1000;
  const software = startSoftware({ codeLine: 'au', random: seededRandom(7), now, history: 80 });
  const [gene] = software.panels[0]?.entities.filter(({ type }) => type === 'gene') ?? [];
  if (!gene) throw new Error('the first panel holds no gene');
  for (const { kind } of silentKinds) {
    gene.rating = 'none';
    const before = JSON.stringify(software.panels);
    expect(software.act(now, kind), kind).toMatchObject({ kind, rows: [], truth: [] });
    expect(JSON.stringify(software.panels) === before, kind).toBe(false);
  }
});
