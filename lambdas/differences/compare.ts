import { type Changes, type Rating, ratings } from '../events/changes.ts';
import type { Entity, PanelEvent } from '../events/schemas.ts';
import { type AnyFact, type Difference, difference, type Publication, type Via } from './difference.ts';
import { entityFacts } from './entity-facts.ts';
import {
  type FollowedEntity,
  type FollowedPanel,
  followEvents,
  type KnownFacts,
  nameKey,
  placed,
} from './followed-panel.ts';
import { panelFacts } from './panel-facts.ts';
import type { Count, ShownEntity, ShownPanel } from './shown.ts';

interface Comparison {
  /** The panel as it was last shown, or `unknownPanel`. */
  readonly before: ShownPanel;
  /** The events of the panel that were published since, in the order in which they were published. */
  readonly events: Iterable<PanelEvent>;
  readonly after: ShownPanel;
  readonly via: Via;
}

/** What a comparison found. */
export interface Compared {
  readonly differences: readonly Difference[];
  /** The numbers of entities to which events and listing lead, as far as they are known: the next comparison needs them. */
  readonly expected: ExpectedNumbers;
}

interface ExpectedNumbers {
  readonly genes?: number;
  readonly strs?: number;
}

/**
 * The differences of a panel that no event leads to. Each starts from where the events lead, so that its previous
 * value is what was so just before. What was unknown, or is not shown, is no difference.
 */
export function comparePanel({ before, events, after, via }: Comparison): Compared {
  const led = followEvents(before, events, after);
  const { pairs, missing, added } = pairEntities(led, after);
  const differences = [
    ...factDifferences(panelFacts, { known: led.facts, shown: after.facts, about: { via, entity: null } }),
    ...missing.map((entity) => removal(entity, via)),
    ...pairs.flatMap(([known, shown]) => entityDifferences(known, shown, via)),
    ...added.flatMap((shown) => addition(shown, via)),
  ];
  return { differences, expected: expectedNumbers(led, after) };
}

function expectedNumbers({ facts }: FollowedPanel, after: ShownPanel): ExpectedNumbers {
  const expected = (name: 'numberOfGenes' | 'numberOfStrs'): number | undefined => {
    const fact = panelFacts.find((one) => one.name === name);
    const [known, shown] = [facts.get(name) as Count | undefined, after.facts[name]];
    if (!fact || !known || !shown) return undefined;
    return fact.same(known, shown) ? known.expected : shown.shown;
  };
  const [genes, strs] = [expected('numberOfGenes'), expected('numberOfStrs')];
  return { ...(genes !== undefined && { genes }), ...(strs !== undefined && { strs }) };
}

interface FactsCompared {
  readonly known: KnownFacts;
  readonly shown: object;
  readonly about: Publication;
}

function factDifferences(
  table: readonly AnyFact[],
  { known, shown, about }: FactsCompared,
): readonly Difference[] {
  const values = shown as Readonly<Record<string, unknown>>;
  return table.flatMap((fact) => {
    const [from, to] = [known.get(fact.name), values[fact.name]];
    if (from === undefined || to === undefined || fact.same(from, to)) return [];
    return fact.publishes(from, to, about);
  });
}

const entityOf = ({ type, name, hgncId, ensemblId, omimIds }: Entity): Entity => ({
  type,
  name,
  ...(hgncId !== undefined && { hgncId }),
  ...(ensemblId !== undefined && { ensemblId }),
  ...(omimIds && { omimIds }),
});

function entityDifferences(known: FollowedEntity, shown: ShownEntity, via: Via): readonly Difference[] {
  const entity = entityOf(shown);
  const renamed =
    nameKey(known.name) === nameKey(shown.name)
      ? []
      : [difference('entity.renamed', { from: known.name, to: shown.name, via }, entity)];
  const [from, to] = [known.hgncId, shown.hgncId];
  const identified =
    from === undefined || to === undefined || from === to
      ? []
      : [difference('entity.annotated', { changes: [{ field: 'hgncId', from, to }], via }, entity)];
  const about = { via, entity };
  const differences = factDifferences(entityFacts, { known: known.facts, shown: shown.facts, about });
  return [
    ...renamed,
    ...identified,
    ...differences.map((each) => withRating(each, shown.facts.rating ?? null)),
  ];
}

/** A change of the mode of inheritance says with which rating: what it means depends on that. */
function withRating(one: Difference, rating: Rating | null): Difference {
  const { changes } = one.change as Partial<Changes['entity.annotated']>;
  if (one.kind !== 'entity.annotated' || !changes?.some(({ field }) => field === 'modeOfInheritance'))
    return one;
  return { ...one, change: { ...one.change, rating } } as Difference;
}

function removal(known: FollowedEntity, via: Via): Difference {
  const rating = ratings.find((one) => one === known.facts.get('rating')) ?? null;
  const { type, name, hgncId } = known;
  const entity = { type, name, ...(hgncId !== undefined && { hgncId }) };
  return difference('entity.removed', { rating, via }, entity);
}

/** An entity that appears, with its rating and tags as events of their own, as a row would give them. */
function addition(shown: ShownEntity, via: Via): readonly Difference[] {
  const { rating = null, sources = [], tags = [], ...facts } = shown.facts;
  const { modeOfInheritance, modeOfPathogenicity, penetrance, phenotypes, publications } = facts;
  const entity = entityOf(shown);
  const added = difference(
    'entity.added',
    {
      rating,
      sources: [...new Set(sources)],
      tags: [...tags],
      copiedFrom: null,
      ...(modeOfInheritance !== undefined && { modeOfInheritance }),
      ...(modeOfPathogenicity !== undefined && { modeOfPathogenicity }),
      ...(penetrance !== undefined && { penetrance }),
      ...(phenotypes && { phenotypes: [...phenotypes] }),
      ...(publications && { publications: [...publications] }),
      via,
    },
    entity,
  );
  const differences = [added];
  if (rating !== null) {
    const change = { from: null, to: rating, direction: 'new', via } as const;
    differences.push(difference('entity.classified', change, entity));
  }
  if (tags.length > 0) {
    differences.push(difference('entity.tags-changed', { added: [...tags], removed: [], via }, entity));
  }
  return differences;
}

interface PairedEntities {
  readonly pairs: readonly (readonly [FollowedEntity, ShownEntity])[];
  /** Entities that were on the panel and are not shown. */
  readonly missing: readonly FollowedEntity[];
  /** Entities that are shown and were not on the panel. */
  readonly added: readonly ShownEntity[];
}

/** A way in which an entity that is known can be one that is shown: they have a key in common, and no ids that differ. */
interface WayToPair {
  readonly knownKeys: (known: FollowedEntity) => readonly (string | undefined)[];
  readonly shownKey: (shown: ShownEntity) => string | undefined;
  readonly isPair?: (known: FollowedEntity, shown: ShownEntity) => boolean;
}

const idAndName = ({ hgncId, name }: Pick<ShownEntity, 'hgncId' | 'name'>): string | undefined =>
  hgncId === undefined ? undefined : `${hgncId} ${nameKey(name)}`;

/** Stricter ways first. */
const waysToPair: readonly WayToPair[] = [
  { knownKeys: (known) => [idAndName(known)], shownKey: idAndName },
  {
    knownKeys: ({ name }) => [nameKey(name)],
    shownKey: ({ name }) => nameKey(name),
    isPair: (known, shown) => known.hgncId === undefined || shown.hgncId === undefined,
  },
  { knownKeys: ({ hgncId }) => [hgncId], shownKey: ({ hgncId }) => hgncId },
  {
    // The row named the descriptive name, which was the entity's own name before.
    knownKeys: ({ formerly }) => formerly.map(nameKey),
    shownKey: ({ name }) => nameKey(name),
    isPair: (known, shown) => shown.facts.verboseName === known.name,
  },
  // Neither id is one of another entity: the catalogue corrected it.
  { knownKeys: ({ name }) => [nameKey(name)], shownKey: ({ name }) => nameKey(name) },
];

/** Pairs what is known of entities with what is shown: by id and name, by name, by id. */
function pairEntities(led: FollowedPanel, after: ShownPanel): PairedEntities {
  const isCompared = ({ type }: Entity): boolean => after.whole.includes(type);
  const left = new Set(led.entities.filter(isCompared));
  const pairs: (readonly [FollowedEntity, ShownEntity])[] = [];
  let unpaired = after.entities.filter(isCompared);
  for (const { knownKeys, shownKey, isPair = () => true } of waysToPair) {
    if (left.size === 0 || unpaired.length === 0) break;
    const byKey = new Map<string, FollowedEntity[]>();
    for (const known of left) {
      for (const key of knownKeys(known)) {
        if (key !== undefined)
          byKey.set(placed(known, key), [...(byKey.get(placed(known, key)) ?? []), known]);
      }
    }
    unpaired = unpaired.filter((shown) => {
      const candidates = byKey.get(placed(shown, shownKey(shown) ?? '')) ?? [];
      const known = candidates.find((one) => left.has(one) && isPair(one, shown));
      if (!known) return true;
      left.delete(known);
      pairs.push([known, shown]);
      return false;
    });
  }
  const returned = pairs.flatMap(([{ present }, shown]) => (present === false ? [shown] : []));
  return {
    pairs: pairs.filter(([{ present }]) => present !== false),
    missing: [...left].filter(({ present }) => present === true),
    added: [...returned, ...unpaired.filter(({ type }) => led.whole.includes(type))],
  };
}
