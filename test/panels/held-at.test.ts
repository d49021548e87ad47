import { expect, test } from 'vitest';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { createNameBook } from '../../lambdas/filters/names.ts';
import { entityFactsOf } from '../../lambdas/notify/background.ts';
import { compareSignOff } from '../../lambdas/notify/compare-sign-off.ts';
import { readSide, type Side } from '../../lambdas/panels/compare-panels.ts';
import { contentsOf, type PanelContents } from '../../lambdas/panels/compare-states.ts';
import { findState, type StatesOf, type WantedState } from '../../lambdas/panels/find-state.ts';
import { createSqlitePanelStates } from '../../lambdas/panels/sqlite-panel-states.ts';
import type { VersionState } from '../../lambdas/panels/version-state.ts';
import { toMessage } from '../../lambdas/publishing/message.ts';
import { statesOfCases } from '../../lambdas/questions/impact/states-of-cases.ts';
import { signOffChanges } from '../../lambdas/questions/worklist/sign-offs.ts';
import { instantOf } from '../../lambdas/run/instant.ts';
import { createSqliteHistory } from '../../lambdas/store/history/sqlite.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { breast, eventOf } from '../words/events.ts';
import { at, madeUpGene, madeUpState } from './made-up-states.ts';

/**
 * Hearing loss 1.4 was read while it was the newest. Three days later a row adds MYO7A as green, without a new version. 1.4 is
 * signed off after that, and 1.5 begins.
 */
const hearing = { ...breast, id: 3, name: 'Hearing loss', version: '1.4' };
const added: PanelEvent = eventOf(
  'entity.added',
  { rating: 'green', sources: [], tags: [], copiedFrom: null },
  { gene: 'MYO7A', time: '2026-03-05T09:00:00.000000Z', panel: hearing },
);
const asked = { version: '1.4', day: '2026-03-06', at: at('2026-03-06T00:00:00'), signedOffOn: '2026-03-08' };
const panel = { panelId: 3, panelName: 'Hearing loss', id: 3, name: 'Hearing loss' };
const gene = madeUpGene('MYO7A', { hgncId: 'HGNC:7606' });

const present = madeUpState({ validTo: at('2026-03-10T00:00:00') });

interface Given {
  readonly events: readonly PanelEvent[];
  readonly states: readonly VersionState[];
}

async function keptStates({ events = [added], states: kept = [present] }: Partial<Given> = {}) {
  const file = openStateFile();
  const now = (): number => Date.UTC(2026, 2, 20);
  const states = createSqlitePanelStates({ file, catalogue: 'uk', now });
  const first = {
    version: '1.3',
    validFrom: at('2026-02-01T00:00:00'),
    validTo: at('2026-03-01T10:00:00.000001'),
  };
  await states.save(madeUpState({ ...first, source: 'archive' }));
  for (const state of kept) await states.save(state);
  await states.save(
    madeUpState({
      ...{ version: '1.5', validFrom: at('2026-03-10T00:00:00'), readAt: at('2026-03-11T00:00:00') },
      entities: [madeUpGene('GJB2'), gene],
    }),
  );
  const history = createSqliteHistory(file);
  const period = { catalogue: 'uk', since: at('2026-02-01T00:00:00'), until: at('2026-03-20T00:00:00') };
  await history.append(
    events.map((event) => toMessage(event)),
    period,
  );
  await states.saveSignOffs([
    {
      ...panel,
      version: '1.4',
      date: asked.signedOffOn,
      listedAt: at('2026-03-08T12:00:00'),
      removedAt: null,
    },
  ]);
  return { states, history, now };
}

type Kept = Awaited<ReturnType<typeof keptStates>>;

/** What a question found, by what it was asked; `unknown` where it says so. */
const statusIn = (contents: PanelContents | null): string =>
  contents?.statusOf({ type: 'gene', name: 'MYO7A', hgncId: gene.hgncId }) ?? 'unknown';

const stateFound =
  (wanted: WantedState) =>
  async (kept: Kept): Promise<string> => {
    const { state } = await findState(panel, wanted, placeOf(kept));
    return statusIn(state && contentsOf(state));
  };

const sideFound =
  (side: Side) =>
  async ({ states, history, now }: Kept): Promise<string> => {
    const found = await readSide(3, side, { catalogue: 'uk', states, history, now: instantOf(now()) });
    return statusIn('why' in found ? null : found.contents);
  };

const caseFound =
  (
    counts: 'working' | 'signed-off',
    when: { readonly version: string | null; readonly date: string | null },
  ) =>
  async (kept: Kept): Promise<string> => {
    const found = await statesOfCases(placeOf(kept), counts).analysed(panel, when);
    return 'unknown' in found ? found.unknown : found.map(statusIn).join(' ');
  };

const placeOf = ({ states, history, now }: Kept): StatesOf => ({
  opened: {
    catalogue: 'uk',
    store: states,
    keepsStates: false,
    history,
    names: async () => createNameBook(),
  },
  catalogue: null,
  clock: { now },
});

const signOff = eventOf(
  'panel.signed-off',
  {
    signedOff: true,
    ...{ signedOffVersion: '1.4', signedOffDate: asked.signedOffOn },
    ...{ previousSignedOffVersion: '1.3', previousSignedOffDate: '2026-02-02' },
    via: 'snapshot',
  },
  { panel: hearing, actor: null },
) as PanelEvent<'panel.signed-off'>;

const askers: Readonly<Record<string, (kept: Kept) => Promise<string>>> = {
  'state of the version': stateFound({ kind: 'version', version: asked.version }),
  'state of the instant': stateFound({ kind: 'at', at: asked.at, text: asked.day }),
  'state as signed off': stateFound({ kind: 'signed-off', at: undefined }),
  'comparison of the version': sideFound({ kind: 'version', version: asked.version }),
  'comparison of the instant': sideFound({ kind: 'at', at: asked.at }),
  'comparison of what is signed off': sideFound({ kind: 'signed-off' }),
  'case of the version': caseFound('working', { version: asked.version, date: null }),
  'case of the instant': caseFound('working', { version: null, date: `${asked.day}T12:00:00Z` }),
  'case of a signed-off version': caseFound('signed-off', { version: null, date: '2026-03-09' }),
  'message about the sign-off': async ({ states, history, now }) => {
    const { entered } = await compareSignOff(signOff, { statesOf: () => states, history, now: now() });
    return entered?.find(({ entity }) => entity.name === 'MYO7A')?.after ?? 'unknown';
  },
  'message about the gene': async ({ states, history, now }) => {
    const facts = await entityFactsOf([added], { statesOf: () => states, history, now: now() });
    return facts.get(added.id)?.signedOff?.rating ?? 'unknown';
  },
  'worklist of the sign-off': async ({ states, history }) => {
    const changes = await signOffChanges(signOff, { catalogue: 'uk', states, history });
    return changes.find(({ entity }) => entity?.name === 'MYO7A')?.to ?? 'unknown';
  },
};

test.each(Object.entries(askers))('%s holds what a row added after its reading', async (_who, ask) => {
  expect(await ask(await keptStates())).toBe('green');
});

test('what was added later is not held before', async () => {
  const kept = await keptStates();
  const early = at('2026-03-04T00:00:00');
  expect(await stateFound({ kind: 'at', at: early, text: '2026-03-04T00:00:00Z' })(kept)).toBe('absent');
  expect(await sideFound({ kind: 'at', at: early })(kept)).toBe('absent');
  expect(await caseFound('working', { version: null, date: '2026-03-04T00:00:00Z' })(kept)).toBe('absent');
});

/** The archive shows 1.4 at its end. */
const archived = (entities: VersionState['entities']): VersionState =>
  madeUpState({ source: 'archive', validTo: at('2026-03-10T00:00:00'), entities });

/** What is known of MYO7A before and after an event of 1.4, by everyone who asks for an instant, and for the whole day. */
async function heldAround(given: Given) {
  const kept = await keptStates(given);
  const [early, late] = ['2026-03-05T08:00:00Z', '2026-03-05T10:00:00Z'];
  const askAll = (time: string) =>
    Promise.all(
      [
        stateFound({ kind: 'at', at: at(time.slice(0, -1)), text: time }),
        sideFound({ kind: 'at', at: at(time.slice(0, -1)) }),
        caseFound('working', { version: null, date: time }),
      ].map((ask) => ask(kept)),
    );
  return {
    early: new Set(await askAll(early)),
    late: new Set(await askAll(late)),
    day: await caseFound('working', { version: null, date: '2026-03-05' })(kept),
  };
}

const rated = eventOf(
  'entity.classified',
  { from: 'amber', to: 'green', direction: 'upgraded' },
  { gene: 'MYO7A', time: '2026-03-05T09:00:00.000000Z', panel: hearing },
);
const removed = eventOf(
  'entity.removed',
  { rating: 'red' },
  { gene: 'MYO7A', time: '2026-03-05T09:00:00.000000Z', panel: hearing },
);
const renamed = eventOf(
  'entity.renamed',
  { from: 'USH1B', to: 'MYO7A' },
  { gene: 'MYO7A', time: '2026-03-05T09:00:00.000000Z', panel: hearing },
);

test.each([
  ['added', added, archived([madeUpGene('GJB2'), gene]), 'absent', 'green'],
  ['rated', rated, archived([madeUpGene('GJB2'), gene]), 'amber', 'green'],
  ['removed', removed, archived([madeUpGene('GJB2')]), 'red', 'absent'],
  ['added after a reading', added, present, 'absent', 'green'],
] as const)('what was %s within a version holds from then on', async (_what, event, state, before, after) => {
  expect(await heldAround({ events: [event], states: [state] })).toEqual({
    early: new Set([before]),
    late: new Set([after]),
    day: `${before} ${after}`,
  });
});

test('what was renamed within a version has its former name before', async () => {
  const { states, history, now } = await keptStates({ events: [renamed], states: [archived([gene])] });
  const { state } = await findState(
    panel,
    { kind: 'at', at: at('2026-03-05T08:00:00'), text: '2026-03-05' },
    placeOf({ states, history, now }),
  );
  expect(state?.entities.map(({ name }) => name)).toEqual(['USH1B']);
});

test('a day on which a version changed says so', async () => {
  const kept = await keptStates({ events: [added], states: [archived([gene])] });
  const asOf = (day: string) =>
    findState(panel, { kind: 'at', at: at(`${day}T00:00:00`), text: day }, placeOf(kept));
  expect(await asOf('2026-03-05')).toMatchObject({
    note: 'Hearing loss: MYO7A changed on that day in version 1.4, first at 2026-03-05T09:00:00.000000Z. Give a time of day to --at for what followed.',
  });
  expect(await asOf('2026-03-04')).toMatchObject({ note: undefined });
});

test.each([
  [
    'rated',
    eventOf('entity.classified', { from: 'green', to: 'amber', direction: 'downgraded' }, later()),
    ['amber'],
  ],
  ['removed', eventOf('entity.removed', { rating: 'green' }, later()), []],
  ['nothing', null, ['green']],
] as const)(
  'a message about another panel says what is so where a row after the reading %s it',
  async (_what, event, ratings) => {
    const { states, history, now } = await keptStates({ events: event ? [event] : [] });
    const elsewhere: PanelEvent = {
      ...added,
      data: { ...added.data, panel: { ...hearing, id: 4 } },
    } as PanelEvent;
    const asked = {
      ...elsewhere,
      data: { ...elsewhere.data, entity: { type: 'gene', name: 'MYO7A', hgncId: gene.hgncId } },
    };
    const facts = await entityFactsOf([asked as PanelEvent], { statesOf: () => states, history, now: now() });
    expect((facts.get(added.id)?.elsewhere ?? []).map(({ rating }) => rating)).toEqual(ratings);
  },
);

/** After the reading of 1.5, which holds MYO7A as green. */
function later() {
  return { gene: 'MYO7A', time: '2026-03-12T09:00:00.000000Z', panel: { ...hearing, version: '1.5' } };
}
