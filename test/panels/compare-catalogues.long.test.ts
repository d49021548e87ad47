import { hash } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import {
  type CataloguePlace,
  comparePairs,
  pairsOfCatalogues,
} from '../../lambdas/panels/compare-catalogues.ts';
import { createSqlitePanelStates } from '../../lambdas/panels/sqlite-panel-states.ts';
import type { StateEntity } from '../../lambdas/panels/version-state.ts';
import { toMessage } from '../../lambdas/publishing/message.ts';
import { formatInstant, type Instant } from '../../lambdas/run/instant.ts';
import { createSqliteHistory } from '../../lambdas/store/history/sqlite.ts';
import { openStateFile, type StateFile } from '../../lambdas/store/sqlite-file.ts';
import { seededRandom } from '../../sandbox/software/values.ts';
import { breast, rated } from '../words/events.ts';
import { at, madeUpGene, madeUpState } from './made-up-states.ts';

type Rating = StateEntity['rating'];
const ratings = ['green', 'green', 'amber', 'red', 'none', null] as const;
const modes = ['BIALLELIC, autosomal', 'BIALLELIC, autosomal', 'MONOALLELIC, autosomal', 'Unknown'];
const SEEDS = Number(process.env.SEEDS ?? 150);

/** A version as it was made up: the ratings and modes of entities by their identity. */
interface Version {
  readonly from: Instant;
  readonly held: ReadonlyMap<string, { readonly rating: Rating; readonly mode: string }>;
  /** The entity that a row rates otherwise, of a version that has not been read yet; null where it was read. */
  readonly rated: string | null;
}
interface Panel {
  readonly id: number;
  readonly name: string;
  readonly isHidden: boolean;
  readonly isUnread: boolean;
  readonly versions: readonly Version[];
}

/** Genes by HGNC id, and an STR; the symbols are those of one catalogue. */
const identities = ['HGNC:1', 'HGNC:2', 'HGNC:3', 'HGNC:4', 'HGNC:5', 'HGNC:6', 'str:ar_cag'];

function makeUp(seed: number) {
  const random = seededRandom(seed);
  const any = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const symbols = new Map(identities.map((identity, place) => [identity, `GENE${place}`]));
  // One catalogue renames a gene; in one, two genes have the same symbol.
  const renamed = new Map([
    ...symbols,
    [any(identities.slice(0, 6)), 'NEWNAME'],
    ['HGNC:6', symbols.get('HGNC:5') ?? ''],
  ]);
  const panelsOf = (): readonly Panel[] =>
    ['Ataxia', 'Hearing loss', 'Deafness'].map((name, place) => {
      const days = [1, 5, 9].slice(0, 1 + Math.floor(random() * 3));
      const versions = days.map((day): Version => {
        const held = identities
          .filter(() => random() < 0.7)
          .map((identity) => [identity, { rating: any(ratings), mode: any(modes) }] as const);
        return { from: at(`2026-03-0${day}T10:00:00`), held: new Map(held), rated: null };
      });
      const last = versions.at(-1);
      // Two genes of one symbol cannot be kept apart by a row.
      const rateable = [...(last?.held ?? [])].filter(
        ([identity, { rating }]) => rating !== null && !['HGNC:5', 'HGNC:6'].includes(identity),
      );
      if (last && rateable.length > 0 && random() < 0.4) {
        const [identity, shown] = any(rateable);
        const rating = any(['green', 'amber', 'red', 'none'].filter((one) => one !== shown.rating)) as Rating;
        const held = new Map([...last.held, [identity, { ...shown, rating }]]);
        versions.push({ from: at('2026-03-25T10:00:00'), held, rated: identity });
      }
      return { id: place + 1, name, isHidden: random() < 0.1, isUnread: random() < 0.1, versions };
    });
  return { uk: { symbols, panels: panelsOf() }, australia: { symbols: renamed, panels: panelsOf() } };
}

async function keep(
  file: StateFile,
  catalogue: string,
  made: ReturnType<typeof makeUp>['uk'],
): Promise<CataloguePlace> {
  const states = createSqlitePanelStates({ file, catalogue, now: () => 0 });
  const history = createSqliteHistory(file);
  for (const { id, name, isUnread, versions } of made.panels) {
    if (isUnread) continue;
    for (const [place, { from, held, rated }] of versions.entries()) {
      if (rated !== null) {
        const to = held.get(rated)?.rating ?? null;
        const before = versions[place - 1]?.held.get(rated)?.rating ?? null;
        const event = row(rated.startsWith('str:') ? 'AR_CAG' : (made.symbols.get(rated) ?? ''), {
          ...{ type: rated.startsWith('str:') ? 'str' : 'gene', hgncId: rated, catalogue, from: before, to },
          ...{ panel: { ...breast, id, name, version: `1.${place}` }, at: from },
        });
        await history.append([toMessage(event)], { catalogue, since: from, until: from });
        continue;
      }
      const entities = [...held].map(([identity, { rating, mode }]) => {
        const isStr = identity.startsWith('str:');
        return madeUpGene(isStr ? 'AR_CAG' : (made.symbols.get(identity) ?? ''), {
          ...{ type: isStr ? 'str' : 'gene', hgncId: isStr ? null : identity },
          ...{ rating, modeOfInheritance: mode },
        });
      });
      const next = versions.filter((one) => one.rated === null)[place + 1];
      const version = { version: `1.${place}`, validFrom: from, validTo: next?.from ?? null };
      const source = { source: next ? 'archive' : 'present', readAt: at('2026-03-20T00:00:00') } as const;
      await states.save(madeUpState({ panelId: id, panelName: name, entities, ...version, ...source }));
    }
  }
  return {
    ...{ catalogue, states, history, now: at('2026-04-01T00:00:00') },
    formerNames: () => [],
    listed: new Set(made.panels.filter(({ isHidden }) => !isHidden).map(({ id }) => id)),
  };
}

/** A row that rates an entity, as an event: its version has not been read yet. */
function row(
  name: string,
  {
    type,
    hgncId,
    catalogue,
    from,
    to,
    panel,
    at: time,
  }: {
    readonly type: 'gene' | 'str';
    readonly hgncId: string;
    readonly catalogue: string;
    readonly from: Rating | null;
    readonly to: Rating | null;
    readonly panel: typeof breast;
    readonly at: Instant;
  },
): PanelEvent {
  const id = hash('sha256', `${catalogue} ${panel.id}`, 'hex').slice(0, 32);
  const made = rated(from, to, 'unknown', { panel, gene: name, time: formatInstant(time), id });
  const entity = { type, name, ...(type === 'gene' && { hgncId }) };
  return { ...made, data: { ...made.data, catalogue, entity } } as PanelEvent;
}

type Status = NonNullable<Rating> | 'unknown' | 'absent';
const statusIn = (version: Version | undefined, identity: string): Status => {
  const entry = version?.held.get(identity);
  return entry ? (entry.rating ?? 'unknown') : 'absent';
};

/** By nothing but what was made up: the kind of each disagreement, and the day since when it is so. */
function disagreementsTruly(one: Panel, other: Panel): readonly string[] {
  const [first, second] = [one.versions.at(-1), other.versions.at(-1)];
  return identities.flatMap((identity): readonly string[] => {
    const [a, b] = [statusIn(first, identity), statusIn(second, identity)];
    const [x, y] = [first?.held.get(identity)?.mode, second?.held.get(identity)?.mode];
    const kind = truly(a, b, [x, y]);
    if (kind === null) return [];
    const isSo = (
      status: Status,
      now: Status,
      mode: string | undefined,
      modeNow: string | undefined,
    ): boolean => {
      if (kind.includes('inheritance')) return mode === modeNow;
      if (kind.startsWith('green')) return status !== 'unknown' && (status === 'green') === (now === 'green');
      return status === now;
    };
    const since = [
      { panel: one, now: a, mode: x },
      { panel: other, now: b, mode: y },
    ].map(({ panel, now, mode }) => {
      let place = panel.versions.length - 1;
      const holds = (version: Version | undefined): boolean =>
        version !== undefined &&
        isSo(statusIn(version, identity), now, version.held.get(identity)?.mode, mode);
      while (place > 0 && holds(panel.versions[place - 1])) place -= 1;
      return { at: panel.versions[place]?.from ?? 0n, isExact: place > 0 };
    });
    const [later] = since.toSorted((p, q) => (p.at === q.at ? 0 : p.at > q.at ? -1 : 1));
    // Two of one day: which of them is stated makes no difference, unless one is exact and the other is not.
    const isSure = since.filter((each) => each.at === later?.at).every(({ isExact }) => isExact);
    return [`${one.name} ${identity} ${kind} ${later?.at} ${isSure}`];
  });
}

function truly(a: Status, b: Status, [x, y]: readonly (string | undefined)[]): string | null {
  if (a === 'unknown' || b === 'unknown') return null;
  if (a === 'green' && b !== 'green') return 'green in first only';
  if (b === 'green' && a !== 'green') return 'green in second only';
  if (a !== b && b === 'absent') return 'in first only';
  if (a !== b && a === 'absent') return 'in second only';
  if ([a, b].toSorted().join() === 'amber,none') return 'two steps apart';
  if (x === undefined || y === undefined || x === y) return null;
  return [x, y].includes('Unknown') ? 'inheritance not stated by one' : 'other inheritance';
}

test(`of ${SEEDS} made-up pairs of catalogues, no disagreement is missed and none is false, and what is not compared is named`, async () => {
  const file = openStateFile();
  onTestFinished(() => file.close());
  let [disagreements, unread] = [0, 0];
  const kinds = new Set<string>();
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const made = makeUp(seed);
    const first = await keep(file, `uk-${seed}`, made.uk);
    const second = await keep(file, `australia-${seed}`, made.australia);
    // A person settles what belongs together: names alone, also of what was not read.
    const pairs = made.uk.panels.map((panel) => ({
      panels: [panel, made.australia.panels[panel.id - 1] as Panel] as const,
      reasons: ['equal names'],
      sure: 'certain' as const,
    }));
    const found: string[] = [];
    const notCompared: string[] = [];
    const unknown: string[] = [];
    for await (const one of comparePairs(pairs, first, second)) {
      const { name } = one.pair.panels[0];
      if ('why' in one) {
        notCompared.push(name);
        continue;
      }
      for (const { entity, kind, since } of one.disagreements) {
        kinds.add(kind);
        found.push(
          `${name} ${entity.hgncId ?? `str:${entity.name.toLowerCase()}`} ${kind} ${since.at} ${since.isExact}`,
        );
      }
      unknown.push(...one.uncertain.map((each) => `${name} ${each}`));
    }
    const isKnown = ({ isHidden, isUnread }: Panel): boolean => !isHidden && !isUnread;
    const [known, others] = [
      pairs.filter(({ panels }) => panels.every(isKnown)),
      pairs.filter(({ panels }) => !panels.every(isKnown)),
    ];
    const truth = known.flatMap(({ panels: [one, other] }) => disagreementsTruly(one, other));
    expect(found.toSorted(), `seed ${seed}`).toEqual(truth.toSorted());
    expect(notCompared.toSorted()).toEqual(others.map(({ panels }) => panels[0].name).toSorted());
    const uncertain = known.flatMap(({ panels: [one, other] }) =>
      identities.filter((identity) => {
        const both = [one, other].map((panel) => statusIn(panel.versions.at(-1), identity));
        return both.includes('unknown') && both.includes('green');
      }),
    );
    expect(unknown, `seed ${seed}`).toHaveLength(uncertain.length);
    disagreements += truth.length;
    unread += others.length;
    // By itself it pairs the same panels, as far as they were read and are listed.
    const proposed = await pairsOfCatalogues(first, second);
    const certain = proposed.pairs
      .filter(({ sure }) => sure === 'certain')
      .map(({ panels }) => panels[0].name);
    expect(certain.toSorted(), `seed ${seed}`).toEqual(known.map(({ panels }) => panels[0].name).toSorted());
  }
  expect(disagreements).toBeGreaterThan(SEEDS);
  expect(kinds.size).toBe(7);
  expect(unread).toBeGreaterThan(SEEDS / 10);
});
