import { expect, onTestFinished, test } from 'vitest';
import type { DisagreementStanding } from '../../lambdas/events/changes.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { noRequests } from '../../lambdas/panels/listing-of.ts';
import { createSqlitePanelStates } from '../../lambdas/panels/sqlite-panel-states.ts';
import type { StateEntity, VersionState } from '../../lambdas/panels/version-state.ts';
import type { Message } from '../../lambdas/publishing/message.ts';
import { publishDisagreements } from '../../lambdas/reconcile/publish-disagreements.ts';
import { instantOf } from '../../lambdas/run/instant.ts';
import { silentLog } from '../../lambdas/run/log.ts';
import { createSqliteHistory } from '../../lambdas/store/history/sqlite.ts';
import { createSqliteDocuments } from '../../lambdas/store/items-sqlite.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { seededRandom } from '../../sandbox/software/values.ts';
import { madeUpGene, madeUpState } from '../panels/made-up-states.ts';
import { createTestClock } from '../run/test-clock.ts';

const SEEDS = Number(process.env.SEEDS ?? 100);
const STEPS = 12;

type Status = NonNullable<StateEntity['rating']> | 'unknown' | 'absent';

/** Genes by HGNC id, two of which have one symbol in Australia, and an STR. */
const identities = ['HGNC:1', 'HGNC:2', 'HGNC:3', 'HGNC:4', 'HGNC:5', 'str:ar_cag'];

interface MadeUpPanel {
  readonly id: number;
  readonly name: string;
  /** What the catalogue shows; `rating` null: it did not serve one; `mode` null: none is stated. */
  readonly held: Map<string, { readonly rating: StateEntity['rating']; readonly mode: string | null }>;
  isListed: boolean;
  isRead: boolean;
  /** Whether every STR is shown. */
  isWhole: boolean;
  /** Whether the catalogue shows no HGNC id of the third gene. */
  lacksId: boolean;
  version: number;
  isSaved: boolean;
}

function makeUp(seed: number) {
  const random = seededRandom(seed);
  const any = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const ratings = ['green', 'green', 'green', 'amber', 'red', 'none', null] as const;
  const modes = ['BIALLELIC, autosomal', 'BIALLELIC, autosomal', 'MONOALLELIC, autosomal', null];
  const entry = () => ({ rating: any(ratings), mode: any(modes) });
  const panels = (): readonly MadeUpPanel[] =>
    ['Ataxia', 'Hearing loss'].map((name, place) => ({
      ...{ id: place + 1, name, version: 0, isSaved: false },
      held: new Map(identities.filter(() => random() < 0.7).map((identity) => [identity, entry()])),
      ...{ isListed: random() < 0.9, isRead: random() < 0.8, isWhole: random() < 0.8 },
      lacksId: random() < 0.2,
    }));
  const symbols = new Map(identities.map((identity, place) => [identity, `GENE${place}`]));
  const theirs = new Map([...symbols, ['HGNC:2', symbols.get('HGNC:1') ?? '']]);
  const two = { uk: { panels: panels(), symbols }, australia: { panels: panels(), symbols: theirs } };
  /** What happens between two comparisons. */
  const act = (): void => {
    for (let times = Math.floor(random() * 9); times > 0; times -= 1) {
      const { panels: own, symbols: names } = any([two.uk, two.australia]);
      const panel = any(own);
      const dice = random();
      if (dice < 0.05) panel.isListed = !panel.isListed;
      else if (dice < 0.2) panel.isRead = true;
      else if (dice < 0.28) panel.isWhole = !panel.isWhole;
      else if (dice < 0.33) panel.lacksId = !panel.lacksId;
      else if (dice < 0.38) names.set('HGNC:4', `NEW${Math.floor(random() * 3)}`);
      else if (dice < 0.55) panel.held.delete(any(identities));
      else panel.held.set(any(identities), entry());
      panel.version += 1;
      panel.isSaved = false;
    }
  };
  return { ...two, act, random };
}

const standings: Readonly<Record<string, DisagreementStanding>> = {
  'green absent': 'here',
  'green amber': 'here',
  'green red': 'here-two-steps',
  'green none': 'here-two-steps',
  'absent green': 'there',
  'amber green': 'there',
  'red green': 'there-two-steps',
  'none green': 'there-two-steps',
};

/** @param modes of the two; where both are green and one states none, what was so before stays so */
function standingOf(
  [here, there]: readonly [Status, Status],
  [mine, theirs]: readonly (string | null)[],
  before: DisagreementStanding | undefined,
): DisagreementStanding | null {
  if (here === 'unknown' || there === 'unknown') return null;
  if (here === 'green' && there === 'green' && mine !== theirs) {
    if (mine !== null && theirs !== null) return 'inheritance';
    if (before === 'inheritance') return null;
  }
  return standings[`${here} ${there}`] ?? 'agreed';
}

test(`of ${SEEDS} made-up pairs of catalogues, every change of what they disagree about is published once, and none is made up`, async () => {
  let [published, unread, crashes] = [0, 0, 0];
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const file = openStateFile();
    onTestFinished(() => file.close());
    const clock = createTestClock();
    const made = makeUp(seed);
    const history = createSqliteHistory(file);
    const bodies = new Map<string, string>();
    const placeOf = (name: 'uk' | 'australia') => {
      const states = createSqlitePanelStates({ file, catalogue: name, now: clock.now });
      const listing = async () => ({
        panels: new Map(
          made[name].panels
            .filter(({ isListed }) => isListed)
            .map((panel) => [
              panel.id,
              {
                name: panel.name,
                facts: {
                  ...{ types: [], diseaseGroup: '', diseaseSubGroup: '' },
                  ...{ relevantDisorders: [], signedOff: false },
                },
                versions: [],
              },
            ]),
        ),
        ...{ typeSlugs: new Map(), readAt: instantOf(clock.now()), listedAt: clock.now() },
        requests: noRequests,
      });
      return { name, states, listing, url: `https://${name}.example/api/v1/` };
    };
    const [here, there] = [placeOf('uk'), placeOf('australia')];
    /** What is shown of a panel is read as its newest version. */
    const read = async (name: 'uk' | 'australia', { states }: typeof here) => {
      for (const panel of made[name].panels) {
        if (!panel.isRead || panel.isSaved) continue;
        panel.isSaved = true;
        const entities = [...panel.held].map(([identity, { rating, mode }]) => {
          const isStr = identity.startsWith('str:');
          return madeUpGene(isStr ? 'AR_CAG' : (made[name].symbols.get(identity) ?? ''), {
            ...{
              type: isStr ? 'str' : 'gene',
              hgncId: isStr || (panel.lacksId && identity === 'HGNC:3') ? null : identity,
            },
            ...{ rating, modeOfInheritance: mode },
          });
        });
        const whole: VersionState['whole'] = panel.isWhole ? ['gene', 'str', 'region'] : ['gene', 'region'];
        const at = instantOf(clock.now());
        const version = { version: `1.${panel.version}`, validFrom: at, readAt: at, whole };
        await states.save(
          madeUpState({
            ...version,
            panelId: panel.id,
            panelName: panel.name,
            entities,
            relevantDisorders: [],
          }),
        );
      }
    };
    const known = new Map<string, DisagreementStanding>();
    const found: string[] = [];
    let dies: 'before' | 'after' | null = null;
    const compare = () =>
      publishDisagreements({
        ...{ here, there, history, clock, log: silentLog, pairs: pairsFile },
        documents: createSqliteDocuments(file, 'uk'),
        publisher: {
          async publish(messages: readonly Message[]) {
            if (dies === 'before') throw new Error('killed');
            for (const { id, body } of messages) {
              if (bodies.has(id)) expect(bodies.get(id), `seed ${seed}`).toBe(body);
              else {
                bodies.set(id, body);
                const { data } = JSON.parse(body) as PanelEvent<'entity.disagreement'>;
                const { change, entity, panel } = data;
                const withoutId = entity.type === 'str' ? `str:${entity.name.toLowerCase()}` : 'HGNC:3';
                const identity = entity.hgncId ?? withoutId;
                const { here: mine, there: theirs } = change;
                found.push(
                  `${panel.id} ${identity} ${change.from} ${change.to} ${mine.rating} ${theirs.rating}`,
                );
              }
            }
            if (dies === 'after') throw new Error('killed');
            return [];
          },
        },
      });
    for (let step = 1; step <= STEPS; step += 1) {
      await read('uk', here);
      await read('australia', there);
      const expected = made.uk.panels.flatMap((one, place) => {
        const other = made.australia.panels[place] as MadeUpPanel;
        const isKnown = ({ isListed, isRead }: MadeUpPanel): boolean => isListed && isRead;
        if (!isKnown(one) || !isKnown(other)) {
          unread += 1;
          return [];
        }
        return identities.flatMap((identity) => {
          const [mine, theirs] = [one, other].map((panel): Status => {
            const isMissing = identity.startsWith('str:') && !panel.isWhole;
            const shown = panel.held.get(identity);
            return shown ? (shown.rating ?? 'unknown') : isMissing ? 'unknown' : 'absent';
          }) as [Status, Status];
          const key = `${one.id} ${identity}`;
          const before = known.get(key);
          const modes = [one, other].map(({ held }) => held.get(identity)?.mode ?? null);
          const standing = standingOf([mine, theirs], modes, before);
          if (standing === null) return [];
          known.set(key, standing);
          const isChange = before !== undefined && before !== standing;
          return isChange ? [`${key} ${before} ${standing} ${mine} ${theirs}`] : [];
        });
      });
      found.length = 0;
      dies = made.random() < 0.3 ? (made.random() < 0.5 ? 'before' : 'after') : null;
      if (dies && expected.length > 0) {
        await expect(compare()).rejects.toThrow('killed');
        crashes += 1;
        // A run that died and the next one together publish the same.
        dies = null;
      }
      dies = null;
      await compare();
      expect(found.toSorted(), `seed ${seed}, step ${step}`).toEqual(expected.toSorted());
      const again = await compare();
      expect([again.events, found.length], `seed ${seed}, step ${step}`).toEqual([0, expected.length]);
      published += expected.length;
      made.act();
      clock.pass(made.random() < 0.2 ? 26 * 3_600_000 : 3_600_000);
    }
    const kept: string[] = [];
    for await (const { id } of history.find({ catalogue: 'uk' })) kept.push(id);
    expect(kept.toSorted(), `seed ${seed}`).toEqual([...bodies.keys()].toSorted());
  }
  expect(published).toBeGreaterThan(SEEDS * 3);
  expect(Math.min(unread, crashes)).toBeGreaterThan(SEEDS / 10);
});

const pairsFile = [
  'firstCatalogue,firstPanelId,secondCatalogue,secondPanelId',
  'uk,1,australia,1',
  'australia,2,uk,2',
].join('\n');
