import { expect, test } from 'vitest';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { createNameBook } from '../../lambdas/filters/names.ts';
import { entityFactsOf } from '../../lambdas/notify/background.ts';
import { compareSignOff } from '../../lambdas/notify/compare-sign-off.ts';
import { readSide, type Side } from '../../lambdas/panels/compare-panels.ts';
import { contentsOf, type PanelContents } from '../../lambdas/panels/compare-states.ts';
import { findState, type StatesOf, type WantedState } from '../../lambdas/panels/find-state.ts';
import { createSqlitePanelStates } from '../../lambdas/panels/sqlite-panel-states.ts';
import { toMessage } from '../../lambdas/publishing/to-message.ts';
import { statesOfCases } from '../../lambdas/questions/impact/states-of-cases.ts';
import { signOffChanges } from '../../lambdas/questions/worklist/sign-off-changes.ts';
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

async function keptStates() {
  const file = openStateFile();
  const now = (): number => Date.UTC(2026, 2, 20);
  const states = createSqlitePanelStates({ file, catalogue: 'uk', now });
  const first = {
    version: '1.3',
    validFrom: at('2026-02-01T00:00:00'),
    validTo: at('2026-03-01T10:00:00.000001'),
  };
  await states.save(madeUpState({ ...first, source: 'archive' }));
  await states.save(madeUpState({ validTo: at('2026-03-10T00:00:00') }));
  await states.save(
    madeUpState({
      ...{ version: '1.5', validFrom: at('2026-03-10T00:00:00'), readAt: at('2026-03-11T00:00:00') },
      entities: [madeUpGene('GJB2'), gene],
    }),
  );
  const history = createSqliteHistory(file);
  const period = { catalogue: 'uk', since: at('2026-02-01T00:00:00'), until: at('2026-03-20T00:00:00') };
  await history.append([toMessage(added)], period);
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
