import { describe, expect, onTestFinished, test } from 'vitest';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { netChangesOf } from '../../lambdas/filters/net-changes.ts';
import type { Subscription } from '../../lambdas/notify/subscription.ts';
import { mailText } from '../../lambdas/words/mail.ts';
import { openPage } from '../page/open-page.ts';
import { breast, eventOf, rated, turnedGreen } from '../words/events.ts';
import { createNotifyHarness, planOf, subscriptionOf } from './notify-harness.ts';

/** Minutes after 11:00 on the day on which the clock of the tests begins. */
const at = (gene: string, minutes: number) => ({
  gene,
  time: new Date(Date.UTC(2026, 10, 20, 11, minutes)).toISOString().replace('Z', '000Z'),
});
const green = (gene: string, minutes: number) => turnedGreen(at(gene, minutes));
const newlyGreen = (gene: string, minutes: number) => [
  eventOf('entity.added', { rating: 'green', sources: [], tags: [], copiedFrom: null }, at(gene, minutes)),
  rated(null, 'green', 'new', at(gene, minutes)),
];
const renamed = (from: string, to: string, minutes: number) =>
  eventOf('entity.renamed', { from, to }, at(to, minutes));
const removed = (gene: string, minutes: number, rating: 'green' | 'red' = 'green') =>
  eventOf('entity.removed', { rating }, at(gene, minutes));
const added = (gene: string, minutes: number) =>
  eventOf('entity.added', { rating: null, sources: [], tags: [], copiedFrom: null }, at(gene, minutes));
const cleared = (gene: string, minutes: number) =>
  eventOf(
    'entity.annotated',
    { changes: [{ field: 'sources', aspect: 'all' }], rating: 'green' },
    at(gene, minutes),
  );

/** What is green in the end, and what no text names as green, removed or rated. */
const cases: readonly (readonly [string, readonly PanelEvent[], readonly string[], readonly string[]])[] = [
  ['rated green', [green('BRCA1', 0)], ['BRCA1'], []],
  [
    'added and then replaced by another symbol',
    [...newlyGreen('SERBP1P3', 0), renamed('SERBP1P3', 'GABPB2', 1)],
    ['GABPB2'],
    ['SERBP1P3'],
  ],
  [
    'renamed twice',
    [green('MLL2', 0), renamed('MLL2', 'MLL4', 1), renamed('MLL4', 'KMT2D', 2)],
    ['KMT2D'],
    ['MLL4'],
  ],
  [
    'renamed and then rated red',
    [green('LNK', 0), renamed('LNK', 'LNK2', 1), rated('green', 'red', 'downgraded', at('LNK2', 2))],
    [],
    [],
  ],
  ['green, and its sources cleared', [...newlyGreen('BRCA2', 0), cleared('BRCA2', 1)], [], []],
  [
    'cleared and rated green again',
    [...newlyGreen('BRCA2', 0), cleared('BRCA2', 1), rated(null, 'green', 'unknown', at('BRCA2', 2))],
    ['BRCA2'],
    [],
  ],
  ['green, and removed', [green('PALB2', 0), removed('PALB2', 1)], [], []],
  ['added as green, and removed', [...newlyGreen('TP53', 0), removed('TP53', 1)], [], ['TP53']],
  [
    'removed, and added again as green',
    [removed('ATM', 0, 'red'), added('ATM', 1), rated(null, 'green', 'new', at('ATM', 1))],
    ['ATM'],
    [],
  ],
  [
    'renamed, and removed under the new name',
    [green('A1', 0), renamed('A1', 'A2', 1), removed('A2', 2)],
    [],
    [],
  ],
];

const digest: Subscription['when'] = { kind: 'digest', every: 'daily', hour: 7, ifNothing: false };

/** The texts that one subscription gave. */
async function textsOf(
  events: readonly PanelEvent[],
  parts: Partial<Subscription>,
  isInHistory: (event: PanelEvent) => boolean = () => true,
): Promise<string> {
  const harness = createNotifyHarness(planOf(subscriptionOf(parts)));
  await harness.notifier().run();
  for (const event of events) {
    if (isInHistory(event)) harness.published.push(event);
    await harness.notifier().receive(event);
  }
  await harness.runAfter(24 * 3_600_000);
  return harness.sent.map(({ notice }) => mailText({ ...notice, links: [] })).join('\n');
}

const FORMER_NAME = / \(formerly [^)]*\)/g;

/** The names that a text has under "now green", or that its one line says are green. */
function greensIn(text: string, names: readonly string[]): readonly string[] {
  const group = /^NOW GREEN.*\n((?: {2,}.*\n?)+)/m.exec(text)?.[1] ?? '';
  const line = text.split('\n').filter((each) => /(?:→ |\bas )green\b/.test(each) && !/^ /.test(each));
  const said = [group, ...line].join('\n').replace(FORMER_NAME, '');
  return names.filter((name) => new RegExp(`\\b${name}\\b`).test(said));
}

const namesIn = (events: readonly PanelEvent[]): readonly string[] => [
  ...new Set(
    events.flatMap(({ data: { entity, change } }) => [
      ...(entity ? [entity.name] : []),
      ...('from' in change && 'to' in change && !('direction' in change) ? [String(change.from)] : []),
    ]),
  ),
];

describe.each(cases)('of an entity that is %s', (_title, events, greens, unnamed) => {
  const names = namesIn(events);
  test.each<readonly [string, Partial<Subscription>]>([
    ['a message', { filter: {} }],
    ['a message about what turns green', { filter: { to: ['green'] } }],
    ['a digest', { filter: {}, when: digest }],
    ['a digest of what turns green', { filter: { to: ['green'] }, when: digest }],
  ])('%s names what is green in the end, and nothing else', async (_channel, parts) => {
    const text = await textsOf(events, parts);
    expect(greensIn(text, names)).toEqual(greens);
    const rest = text
      .replace(FORMER_NAME, '')
      .replace(/^.*replaced by.*$/gm, '')
      .replace(/^RENAMED OR REPLACED\n( {2}.*\n)+/m, '')
      .replace(/^CHANGED AND CHANGED BACK.*\n( {2}.*\n)+/m, '');
    for (const name of unnamed) expect(rest).not.toMatch(new RegExp(`\\b${name}\\b`));
    if (/NOW GREEN/.test(text) && /REMOVED/.test(text)) {
      const gone = /^REMOVED.*\n((?: {2,}.*\n?)+)/m.exec(text)?.[1] ?? '';
      expect(greens.filter((name) => gone.includes(name))).toEqual([]);
    }
  });

  test('a report does', () => {
    const [panel] = netChangesOf(events).panels;
    expect(panel?.lists['now green'].map(({ entity }) => entity.name) ?? []).toEqual(greens);
  });

  test('the page does', async () => {
    const page = await openPage(events);
    onTestFinished(() => page.close());
    const csv = await page.text('/report.csv?show=green&since=2026-11-01&until=2026-11-22');
    const named = /^(?:now green|"rated green, perhaps green before"),([^,]*),/;
    expect(csv.split('\r\n').flatMap((line) => named.exec(line)?.[1] ?? [])).toEqual(greens);
  });
});

test.each<readonly [string, Partial<Subscription>]>([
  ['a message', { filter: {} }],
  ['a message about what turns green', { filter: { to: ['green'] } }],
])('%s announces a gene that was replaced meanwhile under both names', async (_channel, parts) => {
  const events = [green('MLL2', 0), renamed('MLL2', 'MLL4', 1), renamed('MLL4', 'KMT2D', 2)];
  expect(await textsOf(events, parts)).toMatch(/^ *KMT2D \(formerly MLL2\):? .*→ green/m);
});

test.each([
  ['a digest', {}],
  ['a digest of what turns green', { to: ['green'] as const }],
])('%s names the gene that another one replaced meanwhile', async (_channel, filter) => {
  const events = [green('MLL2', 0), renamed('MLL2', 'KMT2D', 1)];
  expect(await textsOf(events, { filter, when: digest })).toMatch(/^ +KMT2D +was MLL2/m);
});

test('a gene that is removed and added again as it was is in no message', async () => {
  const ratedAgain = rated(null, 'green', 'new', at('ATM', 1));
  const events = [removed('ATM', 0), added('ATM', 1), ratedAgain];
  expect(await textsOf(events, { filter: {} })).toBe('');
  expect(netChangesOf(events).panels[0]?.lists).toMatchObject({
    'now green': [],
    'no longer green': [],
    removed: [],
  });
});

test.each([
  ['a message', { filter: { to: ['green'] } }],
  ['a digest', { filter: { to: ['green'] }, when: digest }],
] as const)('%s names a panel as it is called in the end', async (_what, parts) => {
  const panel = { ...breast, name: 'Breast cancer' };
  const changes = [{ field: 'name' as const, from: breast.name, to: panel.name }];
  const text = await textsOf(
    [green('BRCA1', 0), eventOf('panel.changed', { changes }, { panel, time: at('BRCA1', 1).time })],
    parts,
  );
  expect(text).toContain('Breast cancer (R208)');
  expect(text.replace(/^.*was named.*$/m, '')).not.toContain(breast.name);
});

test('a digest names a panel as it is called in the end, also where the history lacks the event that renamed it', async () => {
  const panel = { ...breast, name: 'Breast cancer' };
  const changes = [{ field: 'name' as const, from: breast.name, to: panel.name }];
  const renaming = eventOf('panel.changed', { changes }, { panel, time: at('BRCA1', 1).time });
  const parts = { filter: { to: ['green'] }, when: digest } as const;
  const text = await textsOf([green('BRCA1', 0), renaming], parts, (event) => event !== renaming);
  expect(text).toContain('Breast cancer (R208)');
  expect(text.replace(/^.*was named.*$/m, '')).not.toContain(breast.name);
});
