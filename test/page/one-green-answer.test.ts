import { expect, onTestFinished, test } from 'vitest';
import { contradictionsIn } from '../../lambdas/differences/corrections.ts';
import { type Rating, ratings } from '../../lambdas/events/changes.ts';
import { inOrder, timeOf } from '../../lambdas/events/order.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { type GreenTurn, greenTurnNames, greenTurns } from '../../lambdas/filters/green-turn.ts';
import { readPanelTrail } from '../../lambdas/panels/since-when.ts';
import { readReport } from '../../lambdas/questions/report.ts';
import { createSqliteHistory } from '../../lambdas/store/history/sqlite.ts';
import type { Notice } from '../../lambdas/words/notice.ts';
import { noticeOfPanel } from '../../lambdas/words/notice-of-changes.ts';
import { noticeOfDigest } from '../../lambdas/words/notice-of-digest.ts';
import { readPanelHistory } from '../../page/panel-history.ts';
import { seededRandom } from '../../sandbox/software/values.ts';
import { entriesOf, instant } from '../questions/worklist/entries.ts';
import { breast, correctionOf, eventOf, london, rated } from '../words/events.ts';
import { openPage } from './open-page.ts';

type Answer = Readonly<Record<string, GreenTurn>>;

const titles = new Map<string, GreenTurn>([
  ['Now green', 'now'],
  ['Rated green, perhaps green before', 'maybe-now'],
  ['No longer green', 'no-longer'],
  ['May no longer be green', 'maybe-no-longer'],
]);

/** One entity for each change: what is published of it, and what that means, by what the generator made. */
function madeUp(seed: number): { readonly events: readonly PanelEvent[]; readonly truth: Answer } {
  const random = seededRandom(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const truth: Record<string, GreenTurn> = {};
  const made = Array.from({ length: 150 }, (_each, number): readonly PanelEvent[] => {
    const gene = `GENE${number}`;
    const at = (hour: number) => ({
      gene,
      time: `2026-11-2${number % 2}T0${hour}:00:00.${String(number).padStart(6, '0')}Z`,
    });
    const before = pick([null, null, 'green', 'green', ...ratings] as const);
    const means = (turn: GreenTurn | null): void => {
      if (turn !== null) truth[gene] = turn;
    };
    const isGreen = before === 'green';
    const confirmed = before !== null && random() < 0.5 ? [rated(before, before, 'unchanged', at(1))] : [];
    const rate = (to: Rating): PanelEvent =>
      rated(before, to, before === null ? 'unknown' : before === to ? 'unchanged' : 'upgraded', at(2));
    const what = pick(['rated', 'rated', 'removed', 'source', 'other source', 'added'] as const);
    switch (what) {
      case 'rated': {
        const to = pick(ratings);
        if (to === 'green') means(before === null ? 'maybe-now' : isGreen ? null : 'now');
        else means(before === null ? 'maybe-no-longer' : isGreen ? 'no-longer' : null);
        return [...confirmed, rate(to)];
      }
      case 'removed':
        means(before === null ? 'maybe-no-longer' : isGreen ? 'no-longer' : null);
        return [...confirmed, eventOf('entity.removed', { rating: before }, at(2))];
      case 'source': {
        // Of a rating that is unknown, all sources may be gone without any having rated it.
        if (before === null) return [];
        means(isGreen ? 'maybe-no-longer' : null);
        const source = `Expert Review ${before.charAt(0).toUpperCase()}${before.slice(1)}`;
        const change = pick([{ aspect: 'all' }, { removed: [source] }]);
        const changes = [{ field: 'sources' as const, ...change }];
        return [...confirmed, eventOf('entity.annotated', { changes, rating: before }, at(2))];
      }
      case 'other source': {
        const changes = [{ field: 'sources' as const, removed: ['Literature'] }];
        return [...confirmed, eventOf('entity.annotated', { changes }, at(2))];
      }
      case 'added': {
        const to = pick(ratings);
        means(to === 'green' ? 'now' : null);
        const added = { rating: to, sources: [], tags: [], copiedFrom: null };
        return [eventOf('entity.added', added, at(2)), rated(null, to, 'new', at(2))];
      }
      default:
        return what satisfies never;
    }
  });
  const events = made.flat().toSorted((one, other) => ((one.time ?? '') < (other.time ?? '') ? -1 : 1));
  return { events, truth };
}

/** What the groups of a message say of each entity. */
function answerOfGroups({ blocks }: Notice): Answer {
  return Object.fromEntries(
    blocks.flatMap((block): [string, GreenTurn][] => {
      const turn = block.kind === 'group' ? titles.get(block.title) : undefined;
      if (block.kind !== 'group' || turn === undefined) return [];
      const rows = block.parts.flatMap((part) => part.rows);
      // Many names with the same words stand in one row, without a name of its own.
      return rows
        .flatMap(({ name, words }) =>
          name === '' ? words.flatMap((piece) => ('text' in piece ? piece.text.split(', ') : [])) : [name],
        )
        .map((name) => [name, turn]);
    }),
  );
}

/** What each view says of a history, whose events are in the order in which they were published. */
async function viewsOf(events: readonly PanelEvent[]) {
  const page = await openPage(events);
  onTestFinished(() => page.close());
  const history = createSqliteHistory(page.file);
  const answers: Record<string, Answer> = {};

  const period = { since: instant('2026-11-19T00:00:00Z'), until: instant('2026-11-22T00:00:00Z') };
  const place = { history, isLocal: true, listings: async () => [], held: async () => [] };
  const report = await readReport(place as never, period, period.until);
  answers['the report'] = Object.fromEntries(
    report.changes.panels.flatMap(({ lists }) =>
      greenTurnNames.flatMap((turn) =>
        lists[greenTurns[turn].words].map(({ entity }): [string, GreenTurn] => [entity.name, turn]),
      ),
    ),
  );

  const csv = await page.text('/report.csv?show=green&since=2026-11-19&until=2026-11-22');
  answers['what turned green'] = Object.fromEntries(
    csv.split('\r\n').flatMap((line): [string, GreenTurn][] => {
      const gene = /GENE\d+/.exec(line)?.[0];
      const turn = greenTurnNames.find((one) =>
        line.replace(/^\ufeff?"?/, '').startsWith(greenTurns[one].words),
      );
      return gene && turn ? [[gene, turn]] : [];
    }),
  );

  const oldestFirst: PanelEvent[] = [];
  for await (const event of history.findWithoutRows({ order: 'oldest' })) oldestFirst.push(event);
  answers['the worklist'] = Object.fromEntries(
    entriesOf(oldestFirst).map(({ entity, kind, isCertain }): [string, GreenTurn] => [
      entity?.name ?? '',
      kind === 'now-green' ? (isCertain ? 'now' : 'maybe-now') : isCertain ? 'no-longer' : 'maybe-no-longer',
    ]),
  );

  const digest = { since: '2026-11-19T00:00:00Z', until: '2026-11-22T00:00:00Z' };
  answers['the digest'] = answerOfGroups(
    noticeOfDigest(inOrder(oldestFirst), digest, { ...london, subscription: 'weekly' }),
  );
  const [first, ...others] = oldestFirst;
  if (first) answers['a message about a panel'] = answerOfGroups(noticeOfPanel([first, ...others], london));
  return { page, history, oldestFirst, answers };
}

test.each([1, 2, 3])(
  'every view gives one answer to what turned green and what may not be, of history %i',
  async (seed) => {
    const { events, truth } = madeUp(seed);
    expect(new Set(Object.values(truth))).toEqual(new Set(greenTurnNames));
    const { page, history, answers } = await viewsOf(events);

    const filtered: Record<string, GreenTurn> = {};
    for (const green of greenTurnNames)
      for await (const { data } of history.findWithoutRows({ filter: { green: [green] } }))
        if (data.entity) filtered[data.entity.name] = green;
    answers['the filter'] = filtered;

    for (const [view, answer] of Object.entries(answers)) expect(answer, view).toEqual(truth);

    const count = (turn: GreenTurn): number => Object.values(truth).filter((one) => one === turn).length;
    const shown = (await page.text('/?since=all')).replaceAll(/<\/?b>/g, '');
    expect(shown).toContain(`Turned green ${count('now')}, perhaps green before ${count('maybe-now')}<`);
    expect(shown).toContain(
      `No longer green ${count('no-longer')}, may no longer be green ${count('maybe-no-longer')}<`,
    );
  },
);

/**
 * Genes that are rated one to three times. Some events were published after later ones, and some stated a false rating before and
 * were corrected. `truth` says what that means from the first rating to the last.
 * @param overlaps whether some transactions overlap: the row of a later version has an earlier time
 */
function outOfOrder(seed: number, overlaps: boolean) {
  const random = seededRandom(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const other = (than: Rating): Rating => pick(ratings.filter((rating) => rating !== than));
  const rate = (from: Rating, to: Rating, parts: object): PanelEvent<'entity.classified'> =>
    rated(from, to, ratings.indexOf(to) < ratings.indexOf(from) ? 'upgraded' : 'downgraded', parts);
  const truth: Record<string, GreenTurn> = {};
  const last: Record<string, Rating> = {};
  const events = Array.from({ length: 120 }, (_each, number): readonly PanelEvent[] => {
    const gene = `GENE${number}`;
    const begin = pick(ratings);
    let rating = begin;
    const chain = Array.from({ length: 1 + Math.floor(random() * 3) }, (_rated, step) => {
      const [from, to] = [rating, other(rating)];
      rating = to;
      const time = `2026-11-20T09:0${step + 1}:00.${String(number).padStart(6, '0')}Z`;
      return { from, to, time, panel: { ...breast, version: `1.${1000 * step + number}` } };
    });
    if (overlaps && random() < 0.5) swapTimes(chain);
    last[gene] = rating;
    if (begin !== 'green' && rating === 'green') truth[gene] = 'now';
    if (begin === 'green' && rating !== 'green') truth[gene] = 'no-longer';
    const published = random() < 0.5 ? chain : chain.toReversed();
    return published.flatMap((one, index) => {
      const { from, to, ...place } = one;
      const late = published.slice(0, index).some((before) => chain.indexOf(before) > chain.indexOf(one));
      if (random() < 0.7) return [rate(from, to, { gene, ...place, late })];
      const wrong = rate(other(to), to, { gene, ...place, late });
      const direction = rate(from, to, {}).data.change.direction;
      return [wrong, correctionOf(wrong, { from, to, direction }, `${wrong.id.slice(1)}c`)];
    });
  }).flat();
  return { events, truth, last };
}

/** The last two of some events, or less, as if the second had been stamped before the first. */
function swapTimes(chain: { time: string }[]): void {
  const [one, other] = chain.slice(-2);
  if (one && other) [one.time, other.time] = [other.time, one.time];
}

test.each([
  [1, 'late events and corrections', false],
  [2, 'late events and corrections', false],
  [3, 'transactions that overlap, late events and corrections', true],
  [4, 'transactions that overlap, late events and corrections', true],
])('every view ends on the last state of each gene, of history %i with %s', async (seed, _what, overlaps) => {
  const { events, truth, last } = outOfOrder(seed, overlaps);
  expect(events.some(({ data }) => data.late)).toBe(true);
  expect(events.some(({ data }) => data.corrects !== undefined)).toBe(true);
  const { history, oldestFirst, answers } = await viewsOf(events);
  const ordered = inOrder(oldestFirst);
  expect(ordered.some((event, index) => timeOf(event) < timeOf(ordered[index - 1] ?? event))).toBe(overlaps);
  expect(contradictionsIn(oldestFirst)).toEqual([]);
  const panelId = Number(breast.id);
  const timeline = await readPanelHistory(history, 'uk', panelId);
  const shown = timeline?.tracks.map(({ entity, steps }) => [entity.name, steps.at(-1)?.status]);
  expect(Object.fromEntries(shown ?? [])).toEqual(last);
  const trail = await readPanelTrail({ catalogue: 'uk', panelId }, history);
  const given = [...trail.rated].map(([key, { words }]) => [key.replace('gene ', '').toUpperCase(), words]);
  expect(Object.fromEntries(given)).toEqual(last);
  const ended = ordered.map(({ data }) => [data.entity?.name, 'to' in data.change && data.change.to]);
  expect(Object.fromEntries(ended)).toEqual(last);
  // The worklist keeps an entry whose change was taken back, and says so. A message about a panel says each change that it is given:
  // what changed back meanwhile is left out before.
  const { 'the worklist': _entries, 'a message about a panel': _changes, ...others } = answers;
  for (const [view, answer] of Object.entries(others)) expect(answer, view).toEqual(truth);
  const entries = entriesOf(oldestFirst);
  const said = entries.map(({ entity, kind, isReverted }) => [
    entity?.name,
    (kind === 'now-green') !== isReverted,
  ]);
  expect(said).toEqual(said.map(([name]) => [name, last[String(name)] === 'green']));
  expect(entries.map(({ entity }) => entity?.name)).toEqual(expect.arrayContaining(Object.keys(truth)));
});
