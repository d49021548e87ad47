import { describe, expect, onTestFinished, test } from 'vitest';
import { teamsMessage } from '../../lambdas/channels/adaptive-card.ts';
import { slackMessage } from '../../lambdas/channels/slack.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { createDynamoPanelStates } from '../../lambdas/panels/dynamodb-panel-states.ts';
import { noRequests } from '../../lambdas/panels/listing-of.ts';
import type { PanelStateStore } from '../../lambdas/panels/panel-state-store.ts';
import { createSqlitePanelStates } from '../../lambdas/panels/sqlite-panel-states.ts';
import type { StateEntity, VersionState } from '../../lambdas/panels/version-state.ts';
import { type Message, toMessage } from '../../lambdas/publishing/message.ts';
import { headlineOf, noticesOf } from '../../lambdas/questions/worklist/entry-rows.ts';
import { readWorklist } from '../../lambdas/questions/worklist/read-worklist.ts';
import { createWorklistStore } from '../../lambdas/questions/worklist/worklist-record.ts';
import { defaultWorklist } from '../../lambdas/questions/worklist/worklist-settings.ts';
import { publishDisagreements } from '../../lambdas/reconcile/publish-disagreements.ts';
import { instantOf } from '../../lambdas/run/instant.ts';
import { silentLog } from '../../lambdas/run/log.ts';
import type { Documents } from '../../lambdas/store/documents.ts';
import { createDynamoHistory } from '../../lambdas/store/history/dynamodb.ts';
import type { History } from '../../lambdas/store/history/history.ts';
import { createSqliteHistory, namedPlaceOf } from '../../lambdas/store/history/sqlite.ts';
import { memoryItems } from '../../lambdas/store/items.ts';
import { createDynamoDocuments } from '../../lambdas/store/items-dynamodb.ts';
import { createSqliteDocuments } from '../../lambdas/store/items-sqlite.ts';
import type { Listing } from '../../lambdas/store/listing.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { eventWords } from '../../lambdas/words/event-words.ts';
import { mailSubject, mailText } from '../../lambdas/words/mail.ts';
import { phraseText } from '../../lambdas/words/phrase.ts';
import { createNotifyHarness, planOf, subscriptionOf } from '../notify/notify-harness.ts';
import { at, madeUpGene, madeUpState } from '../panels/made-up-states.ts';
import { createTestClock, type TestClock } from '../run/test-clock.ts';
import { createTable } from '../store/create-table.ts';
import { createHistoryTable } from '../store/history/create-history-table.ts';
import { openLocalDynamoDb } from '../store/local-dynamodb.ts';
import { tableKeys } from '../store/table-keys.ts';
import { breast, eventOf, rated } from '../words/events.ts';

const common = ['GJB2', 'COCH', 'MYO7A'].map((name) => madeUpGene(name));
const amber = { rating: 'amber' } as const;

interface Stores {
  readonly history: History;
  readonly documents: Documents;
  statesOf(catalogue: string): PanelStateStore;
}
type OpenStores = (clock: TestClock) => Promise<Stores>;

const inFile = (file = openStateFile()): OpenStores => {
  onTestFinished(() => file.close());
  return async (clock) => ({
    history: createSqliteHistory(file),
    documents: createSqliteDocuments(file, 'uk'),
    statesOf: (catalogue) => createSqlitePanelStates({ file, catalogue, now: clock.now }),
  });
};

const inTables: OpenStores = async (clock) => {
  const { dynamodb, suffix, close } = await openLocalDynamoDb();
  onTestFinished(close);
  const table = await createTable(dynamodb, `state${suffix}`, tableKeys);
  const historyTable = await createHistoryTable(dynamodb, `history${suffix}`);
  return {
    history: createDynamoHistory({ dynamodb, table: historyTable, clock }),
    documents: createDynamoDocuments({ dynamodb, table, catalogue: 'uk', runId: 'run', clock }),
    statesOf: (catalogue) => createDynamoPanelStates({ dynamodb, table: historyTable, catalogue, clock }),
  };
};

/** Hearing loss of two catalogues, of which what is read and published is driven step by step. */
async function open(openStores: OpenStores = inFile()) {
  const clock = createTestClock({ now: Date.UTC(2026, 2, 20, 9) });
  const { history, documents, statesOf } = await openStores(clock);
  const listings = new Map<string, Listing>();
  const [uk, australia] = ['uk', 'australia'].map((name) => ({
    ...{ name, url: `https://${name}.example/api/v1/`, listing: async () => listings.get(name) ?? null },
    states: statesOf(name),
  })) as [Place, Place];
  const published: PanelEvent<'entity.disagreement'>[] = [];
  const read = (
    { states }: Place,
    entities: readonly StateEntity[],
    version: Partial<VersionState> = {},
  ): Promise<void> => {
    const panel = states === uk.states ? { panelId: 3 } : { panelId: 103 };
    return states.save(madeUpState({ ...panel, entities: [...entities], ...version }));
  };
  return {
    ...{ clock, history, listings, uk, australia, published, read },
    compare: () =>
      publishDisagreements({
        ...{ here: uk, there: australia, pairs: null, clock, log: silentLog },
        history: {
          ...history,
          // The role of the deployed function may read these two catalogues alone.
          names: (whose, catalogue) =>
            catalogue === undefined
              ? Promise.reject(new Error('names of every catalogue'))
              : history.names(whose, catalogue),
        },
        documents,
        publisher: {
          async publish(messages: readonly Message[]) {
            published.push(...messages.map(({ body }) => JSON.parse(body)));
            return [];
          },
        },
      }),
  };
}
interface Place {
  readonly name: string;
  readonly url: string;
  readonly listing: () => Promise<Listing | null>;
  readonly states: PanelStateStore;
}

/** A gene that is green here and amber there, turns green there, and amber here. */
async function disagree(openStores?: OpenStores) {
  const opened = await open(openStores);
  const { uk, australia, read, compare, clock, history } = opened;
  await read(uk, [...common, madeUpGene('OTOF', amber)]);
  await read(australia, [...common, madeUpGene('OTOF', amber)], { version: '1.0' });
  await uk.states.saveSignOffs([
    {
      ...{ panelId: 3, panelName: 'Hearing loss', version: '1.4', date: '2026-03-10' },
      ...{ listedAt: 0n, removedAt: null },
    },
  ]);
  expect(await compare()).toMatchObject({ events: 0, pairs: 1, compared: 1, notCompared: [] });
  const panel = { ...breast, id: 103, name: 'Hearing loss', version: '1.1' };
  const time = '2026-03-20T08:00:00.000000Z';
  const made = [
    rated('amber', 'green', 'upgraded', { panel, gene: 'OTOF', time, id: 'a'.repeat(32) }),
    eventOf(
      'entity.commented',
      { action: 'added', comment: 'Three unrelated families.' },
      {
        ...{ panel, gene: 'OTOF', time, id: 'b'.repeat(32) },
      },
    ),
  ].map((event) => ({ ...event, data: { ...event.data, catalogue: 'australia' } }) as PanelEvent);
  await history.append(
    made.map((event) => toMessage(event)),
    {
      ...{ catalogue: 'australia', since: 0n, until: instantOf(clock.now()) },
    },
  );
  return opened;
}

describe('a gene that turns green in the other catalogue', () => {
  test.each([
    ['a file', () => inFile()],
    ['tables', () => inTables],
  ])('is published once, as soon as a row says so, with what both say: in %s', async (_, stores) => {
    const { compare, published } = await disagree(stores());
    expect(await compare()).toMatchObject({ events: 1, compared: 1 });
    expect(await compare()).toMatchObject({ events: 0, compared: 0 });
    expect(published).toMatchObject([
      {
        type: 'gene-panel.entity.disagreement.v1',
        subject: 'panels/3/gene/OTOF',
        time: '2026-03-20T09:00:00.000000Z',
        source: 'https://uk.example/api/v1/',
        data: {
          catalogue: 'uk',
          panel: { id: 3, name: 'Hearing loss', version: '1.4', signedOffVersion: '1.4' },
          entity: { type: 'gene', name: 'OTOF' },
          summary: 'OTOF is green in australia and amber in uk, on Hearing loss in version 1.4.',
          change: {
            ...{ from: 'agreed', to: 'there' },
            here: {
              ...{ rating: 'amber', sinceIsExact: false, ratedBy: null, comment: null },
              signedOff: { version: '1.4', date: '2026-03-10', rating: 'amber' },
            },
            there: {
              ...{ rating: 'green', since: '2026-03-20T08:00:00.000000Z', sinceIsExact: true },
              ...{ ratedBy: 'Catherine Snowe', comment: 'Three unrelated families.', signedOff: null },
              ...{ catalogue: 'australia', panel: { id: 103, version: '1.1' }, name: 'OTOF' },
            },
          },
        },
      },
    ]);
  });

  test('is agreed about again where this catalogue follows, and changes nothing of its own panel', async () => {
    const { uk, read, compare, published, history, clock } = await disagree();
    await compare();
    clock.pass(3_600_000);
    await read(uk, [...common, madeUpGene('OTOF')], { version: '1.5', validFrom: at('2026-03-20T09:30:00') });
    expect(await compare()).toMatchObject({ events: 1 });
    expect(published.at(-1)?.data).toMatchObject({
      summary:
        'The catalogues agree again: OTOF is green in uk and green in australia, on Hearing loss in version 1.5.',
      change: { from: 'there', to: 'agreed', here: { rating: 'green' }, there: { rating: 'green' } },
    });
    const ids: string[] = [];
    for await (const { id } of history.find({ catalogue: 'uk' })) ids.push(id);
    expect(ids).toHaveLength(2);
    // What a panel holds does not follow from them.
    expect(await compare()).toMatchObject({ events: 0, compared: 0 });
  });

  test('is published again where this catalogue rejects it, and where both have it as green with other modes of inheritance', async () => {
    const { uk, australia, read, compare, published } = await disagree();
    const mono = 'MONOALLELIC, autosomal or pseudoautosomal, NOT imprinted';
    await compare();
    const turn = async (version: string, given: Partial<StateEntity>): Promise<string[]> => {
      const minute = version.split('.')[1]?.padStart(2, '0');
      const before = published.length;
      await read(uk, [...common, madeUpGene('OTOF', given)], {
        ...{ version, validFrom: at(`2026-03-20T09:${minute}:00`) },
      });
      await compare();
      return published.slice(before).map(({ data }) => `${data.change.from} ${data.change.to}`);
    };
    expect(await turn('1.05', { rating: 'red' })).toEqual(['there there-two-steps']);
    expect(published.at(-1)?.data.change.here).toMatchObject({
      ...{ rating: 'red', since: '2026-03-20T09:05:00.000000Z' },
    });
    expect(await turn('1.06', { rating: 'none' })).toEqual([]);
    expect(await turn('1.07', { modeOfInheritance: mono })).toEqual(['there-two-steps inheritance']);
    expect(await turn('1.08', { modeOfInheritance: 'Unknown' })).toEqual([]);
    expect(await turn('1.09', { modeOfInheritance: mono, tags: ['new'] })).toEqual([]);
    const differs = published.at(-1);
    expect(differs?.data).toMatchObject({
      summary:
        'OTOF is green in both, as “MONOALLELIC, autosomal or pseudoautosomal, NOT imprinted” in uk and “BIALLELIC, autosomal or pseudoautosomal” in australia, on Hearing loss in version 1.07.',
      change: {
        here: { modesOfInheritance: [mono], since: '2026-03-20T09:07:00.000000Z' },
      },
    });
    expect(phraseText(eventWords(differs as PanelEvent).headline)).toBe(
      'OTOF: green in both; MONOALLELIC in uk, BIALLELIC in australia on Hearing loss',
    );
    expect(await turn('1.10', {})).toEqual(['inheritance agreed']);
    expect(phraseText(eventWords(published.at(-1) as PanelEvent).row.words)).toBe(
      'green in both; BIALLELIC in uk, BIALLELIC in australia: agreed again',
    );
    await read(australia, common, { version: '1.2', validFrom: at('2026-03-20T09:20:00') });
    await compare();
    expect(published.at(-1)?.data.change).toMatchObject({
      ...{ from: 'agreed', to: 'here', there: { rating: 'absent', modesOfInheritance: [], name: null } },
    });
  });

  test('is a mail, a message in chats and a line of a digest, for who asks for it by name alone', async () => {
    const { compare, published } = await disagree();
    await compare();
    const asked = subscriptionOf({ name: 'disagreements', filter: { topics: ['disagreements'] } });
    const others = subscriptionOf({ name: 'everything', filter: {} });
    const when = { kind: 'digest', every: 'daily', hour: 7, ifNothing: false } as const;
    const digest = subscriptionOf({ name: 'daily', filter: { topics: ['disagreements'] }, when });
    const harness = createNotifyHarness(planOf(asked, others, digest));
    await harness.notifier().run();
    for (const event of published) {
      const now = { ...event, time: new Date(harness.clock.now()).toISOString().replace('Z', '000Z') };
      harness.published.push(now);
      await harness.notifier().receive(now);
    }
    harness.clock.pass(2 * 3_600_000);
    await harness.notifier().run();
    expect(harness.sent).toHaveLength(1);
    const notice = harness.sent[0]?.notice as never;
    expect(mailSubject(notice)).toBe('OTOF: green in australia, amber in uk on Hearing loss');
    expect(mailText(notice)).toMatch(
      /OTOF: green in australia, amber in uk\n[\s\S]*\nuk: amber, since at the latest 1 March 2026\nuk, signed off: amber in 1\.4 of 10 March 2026\naustralia: green, since 20 March 2026, rated by Catherine Snowe; “Three unrelated families\.”/,
    );
    for (const chat of [slackMessage(notice), teamsMessage(notice)]) {
      const text = JSON.stringify(chat);
      expect(text).toContain('Three unrelated families');
      expect(text).toMatch(/green\*? in australia.*amber\*? in uk/);
    }
    harness.clock.pass(24 * 3_600_000);
    await harness.notifier().run();
    expect(mailText(harness.sent[1]?.notice as never)).toMatch(
      /DISAGREEMENTS OF CATALOGUES[\s\S]*OTOF +green in australia, amber in uk/i,
    );
  });

  test('is an entry of a worklist that asks for disagreements, until it is over', async () => {
    const file = openStateFile();
    const { compare, history, clock, read, uk } = await disagree(inFile(file));
    await compare();
    const place = {
      ...namedPlaceOf(file),
      ...{ history, worklist: createWorklistStore(memoryItems(clock.now)), statesOf: () => null },
    };
    const settings = { ...defaultWorklist, filter: { topics: ['disagreements'] } } as const;
    const { entries } = await readWorklist(place, { settings, now: instantOf(clock.now()) });
    expect(entries).toMatchObject([
      { entity: { name: 'OTOF' }, catalogue: 'uk', state: 'open', kind: 'green-there-alone' },
    ]);
    expect(entries.map(headlineOf)).toEqual(['OTOF green in the other catalogue only']);
    expect(entries.flatMap((entry) => noticesOf(entry))).toEqual([
      'OTOF is green in australia and amber in uk, on Hearing loss in version 1.4.',
    ]);
    const usual = await readWorklist(place, { settings: defaultWorklist, now: instantOf(clock.now()) });
    expect(usual.entries.filter(({ catalogue }) => catalogue === 'uk')).toEqual([]);
    clock.pass(3_600_000);
    await read(uk, [...common, madeUpGene('OTOF')], { version: '1.5', validFrom: at('2026-03-20T09:30:00') });
    await compare();
    const later = await readWorklist(place, { settings, now: instantOf(clock.now()) });
    expect(later.entries).toMatchObject([
      {
        id: entries[0]?.id,
        state: 'no-action',
        since: '2026-03-20T10:00:00.000000Z',
        due: null,
        decisions: [],
      },
      { kind: 'agreed-again', state: 'open' },
    ]);
    expect(later.entries.map((entry) => noticesOf(entry).slice(1))).toEqual([
      ['No longer so since 2026-03-20; a later entry says how it is now.'],
      [],
    ]);
  });
});

test('what was not read is said, and is never taken as lacking a gene', async () => {
  const { uk, australia, read, compare, published, listings, clock } = await open();
  await read(uk, [...common, madeUpGene('OTOF')]);
  expect(await compare()).toMatchObject({
    ...{ events: 0, pairs: 0 },
    notCompared: ['What the panels of australia hold has not been read yet.'],
  });
  await read(australia, common);
  const facts = { types: [], diseaseGroup: '', diseaseSubGroup: '', relevantDisorders: [], signedOff: false };
  const panel = { name: 'Hearing loss', facts, versions: [] };
  listings.set('australia', {
    panels: new Map([103, 104].map((id) => [id, panel])),
    ...{ typeSlugs: new Map(), readAt: instantOf(clock.now()), listedAt: clock.now(), requests: noRequests },
  });
  clock.pass(25 * 3_600_000);
  expect(await compare()).toMatchObject({
    ...{ events: 0, pairs: 1 },
    notCompared: [
      'Some panels of australia have not been read yet.',
      'What changed in australia since 2026-03-20 09:00Z was not read.',
    ],
  });
  expect(published).toEqual([]);
});

test('a panel that has a later version by the lists waits until that is read', async () => {
  const { uk, australia, read, compare, published, listings, clock } = await open();
  await read(uk, common);
  await read(australia, common, { version: '1.0' });
  await compare();
  const facts = { types: [], diseaseGroup: '', diseaseSubGroup: '', relevantDisorders: [], signedOff: false };
  const listed = { version: '1.2', at: instantOf(clock.now()) };
  const list = (): void => {
    listings.set('australia', {
      panels: new Map([[103, { name: 'Hearing loss', facts, versions: [listed] }]]),
      ...{
        typeSlugs: new Map(),
        readAt: instantOf(clock.now()),
        listedAt: clock.now(),
        requests: noRequests,
      },
    });
  };
  list();
  const later = { validFrom: at('2026-03-20T08:00:00'), readAt: at('2026-03-20T08:10:00') };
  await read(australia, [...common, madeUpGene('OTOF')], { version: '1.1', ...later });
  expect(await compare()).toMatchObject({ events: 0, compared: 0, left: 1, notCompared: [] });
  clock.pass(25 * 3_600_000);
  list();
  expect(await compare()).toMatchObject({
    notCompared: ['Hearing loss (103) of australia: version 1.2 has not been read yet.'],
  });
  await read(australia, common, { version: '1.2', validFrom: at('2026-03-20T08:30:00') });
  expect(await compare()).toMatchObject({ events: 0, compared: 1, left: 0, notCompared: [] });
  expect(published).toEqual([]);
});
