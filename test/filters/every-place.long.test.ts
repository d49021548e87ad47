import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filterClassified } from '../../bin/commands/classify.ts';
import { eventOf, type PrintedEvent } from '../../bin/output.ts';
import { createPrintPublisher } from '../../bin/polling.ts';
import { compileFilter as compileForConsumer, createNames } from '../../consumer/filter.ts';
import { eventKinds, kindOf } from '../../lambdas/events/kinds.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { compileFilter, type Filter } from '../../lambdas/filters/filter.ts';
import { policyOf } from '../../lambdas/filters/filter-policy.ts';
import { attributesOf, toMessage } from '../../lambdas/publishing/message.ts';
import { readReport } from '../../lambdas/questions/report.ts';
import { createSqliteHistory, namedPlaceOf } from '../../lambdas/store/history/sqlite.ts';
import { createSqlitePages } from '../../lambdas/store/history/sqlite-pages.ts';
import { openStateFile, type StateFile } from '../../lambdas/store/sqlite-file.ts';
import { liveStream } from '../../page/changes/changes-routes.ts';
import { createCounter } from '../../page/changes/counts.ts';
import { readView } from '../../page/view.ts';
import { startCatalogue } from '../../sandbox/catalogue/start.ts';
import { runCommand } from '../bin/run-command.ts';
import { newFolder } from '../new-folder.ts';
import { createTestClock } from '../run/test-clock.ts';
import { passes } from './sns-policy.ts';

let now = Date.UTC(2026, 10, 20, 9);
const CHUNK = 400;
/** The sandbox starts with the log of two months; with these it is a year. */
const MONTHS = 10;
const MONTH_MS = 30 * 86_400_000;
const renamingActs = ['replace a gene', 'replace the symbol of a gene silently', 'edit the name silently'];

/**
 * One panel under its names and by its id; one entity of a panel under its names and by the ids of both genes, where a curator
 * replaced one by the other; one gene on every panel under its symbols and by its id.
 */
type Asked = readonly [what: string, filters: readonly Filter[]];

let events: readonly PanelEvent[];
let asked: readonly Asked[];
let file: StateFile;
beforeAll(async () => {
  const clock = createTestClock({ now });
  const folder = newFolder();
  const sandbox = await startCatalogue({ clock, history: 900, seed: 2 });
  const place = ['--name', 'uk', '--state', folder];
  const follow = (command: string, ...args: readonly string[]) =>
    runCommand([command, '--catalogue', sandbox.url, ...place, ...args], { clock });
  await follow('poll', '--only', 'log', '--from', '400d');
  await follow('verify');
  for (let months = 0; months < MONTHS; months += 1) {
    clock.pass(MONTH_MS);
    for (const kind of renamingActs) sandbox.act({ kind });
    for (let acts = 0; acts < 20; acts += 1) sandbox.act();
    await follow('poll', '--only', 'log');
  }
  for (let acts = 0; acts < 60; acts += 1) sandbox.act({ kind: 'rate' });
  for (let times = 0; times < 2; times += 1) {
    clock.pass(3 * 3_600_000);
    await follow('verify');
  }
  await sandbox.close();
  const all = ['--state', folder, '--format', 'ndjson', '--limit', '100000'];
  const { stdout } = await runCommand(['history', ...all], { clock });
  now = clock.now();
  const printed = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as PanelEvent);
  // A history leaves out an event that another one corrects; a filter alone does not know of the other.
  const corrected = new Set(printed.map(({ data }) => data.corrects));
  events = printed
    .filter(({ id }) => !corrected.has(id))
    .sort((one, other) => ((one.time ?? '') < (other.time ?? '') ? -1 : 1));
  file = openStateFile();
  const history = createSqliteHistory(file);
  await history.append(
    events.map((event) => toMessage(event)),
    { catalogue: 'uk', since: 0n, until: BigInt(now) * 1000n },
  );
  // The same gene may be replaced on several panels.
  asked = [...new Map(renamedIn(events).map((each) => [JSON.stringify(each[1]), each])).values()];
});
afterAll(() => file.close());

/** The HGNC ids that events state for each symbol. */
function idsOfSymbols(all: readonly PanelEvent[]): ReadonlyMap<string, ReadonlySet<string>> {
  const ids = new Map<string, Set<string>>();
  for (const event of all) {
    const { entity } = event.data;
    if (entity?.type !== 'gene' || entity.hgncId === undefined) continue;
    const silent = event.type === 'gene-panel.entity.renamed.v1' && event.data.change.via === 'snapshot';
    const names = [entity.name, ...(silent ? [event.data.change.from] : [])];
    for (const name of names) ids.set(name, (ids.get(name) ?? new Set()).add(entity.hgncId));
  }
  return ids;
}

function renamedIn(all: readonly PanelEvent[]): readonly Asked[] {
  const ids = idsOfSymbols(all);
  return all.flatMap((event): readonly Asked[] => {
    const panel = event.data.panel?.id;
    if (event.type === 'gene-panel.entity.renamed.v1') {
      const { from, to, via } = event.data.change;
      const isGene = event.data.entity?.type === 'gene';
      const idsOfBoth = isGene ? [from, to].map((name) => [...(ids.get(name) ?? [])]) : [];
      const here: Asked = [
        `${from} → ${to} on panel ${panel}`,
        [from, to, ...idsOfBoth.flat()].map((name) => ({ genes: [name], panels: [panel ?? 0] })),
      ];
      const names = via === 'snapshot' ? [[from, to, ...(idsOfBoth[0] ?? [])]] : [];
      const apart = [from, to].map((name, at) => [name, ...(idsOfBoth[at] ?? [])]);
      const everywhere = [...names, ...apart].filter(({ length }) => length > 1);
      return [
        here,
        ...everywhere.map((same): Asked => [same.join(', '), same.map((name) => ({ genes: [name] }))]),
      ];
    }
    if (event.type !== 'gene-panel.panel.changed.v1') return [];
    return event.data.change.changes.flatMap(({ field, from, to }): readonly Asked[] =>
      field === 'name' && typeof from === 'string' && typeof to === 'string' && panel !== undefined
        ? [[`${from} → ${to}`, [{ panels: [from] }, { panels: [to] }, { panels: [panel ?? 0] }]]]
        : [],
    );
  });
}

const idsOf = (found: readonly PanelEvent[]): readonly string[] => found.map(({ id }) => id).sort();

/** Where a filter is applied: each gives the ids of what it finds among all events. */
const places: Readonly<Record<string, (filter: Filter) => Promise<readonly string[]>>> = {
  history: async (filter) => {
    const found: PanelEvent[] = [];
    for await (const event of createSqliteHistory(file).find({ filter })) found.push(event);
    return idsOf(found);
  },
  'the page': async (filter) =>
    idsOf(
      createSqlitePages(file)
        .page({ filter }, { size: 10_000, examined: 10_000 })
        .events.map(({ event }) => event),
    ),
  'a subscription': async (filter) => {
    const names = await createSqliteHistory(file).names();
    return idsOf(events.filter(compileFilter(filter, names)));
  },
  classify: async (filter) => {
    const found = await filterClassified(events, { catalogue: 'uk', listing: null, filter, now });
    expect(found.unknown).toStrictEqual([]);
    return idsOf(found.events);
  },
  'poll and watch': async (filter) => {
    const printed: string[] = [];
    const output = {
      write: async (all: readonly PrintedEvent[]) =>
        void printed.push(...all.map((each) => eventOf(each).id)),
      note: async () => {},
      close: () => {},
    };
    const polled = openStateFile();
    const publisher = createPrintPublisher(output, filter);
    publisher.follow(polled);
    const history = createSqliteHistory(polled);
    for (let at = 0; at < events.length; at += CHUNK) {
      const messages = events.slice(at, at + CHUNK).map((event) => toMessage(event));
      await publisher.publish(messages);
      await history.append(messages, { catalogue: 'uk', since: 0n, until: BigInt(now) * 1000n });
    }
    await publisher.printMissed();
    polled.close();
    return printed.sort();
  },
  'a consumer': async (filter) =>
    idsOf(
      events.filter(
        compileForConsumer(filter as never, createNames(events as never)) as (event: PanelEvent) => boolean,
      ),
    ),
};

/** Places that give no list of events: a number, or the panels of a report. */
const counts: Readonly<Record<string, (filter: Filter) => Promise<unknown>>> = {
  report: async (filter) => {
    const place = namedPlaceOf(file);
    const { changes, isAnswer } = await readReport(place, { filter }, BigInt(now) * 1000n);
    return { events: changes.events, panels: changes.panels.length, isAnswer };
  },
  'counts of the page': async (filter) => createCounter(createSqlitePages(file)).counts({ filter }).total,
  'the live stream': async (filter) => {
    const ended = new AbortController();
    const parameters = new URLSearchParams();
    for (const gene of filter.genes ?? []) parameters.append('gene', gene);
    for (const panel of filter.panels ?? []) parameters.append('panel', String(panel));
    const view = readView(parameters);
    const clock = createTestClock({ now, wokenByHand: true });
    const options = { pages: createSqlitePages(file), clock, signal: ended.signal, after: 0, view };
    const stream = liveStream({ ...options, status: () => ({}) as never, isStillAllowed: async () => true });
    const reader = stream.getReader();
    const decoder = new TextDecoder();
    let text = '';
    while (!/event: changes\ndata: (.*)\n/.test(text)) text += decoder.decode((await reader.read()).value);
    ended.abort();
    await reader.cancel();
    return /"count":(\d+)/.exec(text)?.[1];
  },
};

test('the year of the sandbox has renamed panels, STRs and regions, replaced genes, and symbols that HGNC changed', () => {
  const renamings = events.filter(({ type }) => type === 'gene-panel.entity.renamed.v1');
  const onPanels = asked.filter(([, [first]]) => first?.genes && first.panels);
  expect(onPanels.length).toBeGreaterThan(30);
  expect(new Set(renamings.map(({ data }) => data.entity?.type)).size).toBe(3);
  expect(onPanels.filter(([, filters]) => filters.length > 3).length).toBeGreaterThan(10);
  expect(asked.filter(([, [first]]) => first?.panels && !first.genes).length).toBeGreaterThan(5);
  expect(
    asked.filter(([, [first, , third]]) => first?.genes && !first.panels && third).length,
  ).toBeGreaterThan(5);
});

/** What each filter found: several renamings lead to the same filter. */
function asking<Found>(find: (filter: Filter) => Promise<Found>): (filter: Filter) => Promise<Found> {
  const found = new Map<string, Promise<Found>>();
  return (filter) => {
    const key = JSON.stringify(filter);
    const known = found.get(key) ?? find(filter);
    found.set(key, known);
    return known;
  };
}

describe('for every panel and gene that was renamed, old name, new name and id find the same', () => {
  test.each(Object.entries(places))('in %s', async (_place, find) => {
    const found = asking(find);
    const expectedOf = asking(places.history ?? find);
    for (const [what, filters] of asked) {
      const expected = await expectedOf(filters[0] ?? {});
      expect(expected.length, what).toBeGreaterThan(1);
      for (const filter of filters) expect(await found(filter), what).toStrictEqual(expected);
    }
  });

  test.each(Object.entries(counts))('in %s', async (_place, find) => {
    const found = asking(find);
    for (const [what, filters] of asked) {
      const [first, ...others] = await Promise.all(filters.map(found));
      for (const other of others) expect(other, what).toStrictEqual(first);
      expect(Number(first ?? 0) || JSON.stringify(first), what).toBeTruthy();
    }
  });

  test('in filter policies of SNS: each lets pass what the filter finds', async () => {
    const names = await createSqliteHistory(file).names();
    for (const [what, filters] of asked) {
      const matches = filters.map((filter) => compileFilter(filter, names));
      for (const event of events.filter((one) => matches.some((match) => match(one)))) {
        const kind = kindOf(event.type);
        if (kind === undefined) throw new Error(event.type);
        for (const filter of filters) {
          const found = policyOf(filter, eventKinds[kind].topic);
          expect(found && passes(found.policy, attributesOf(event)), what).toBe(true);
        }
      }
    }
  });
});
