import { directionOf } from '../classifier/correlation/subject.ts';
import type { Annotation, Changes, Rating } from '../events/changes.ts';
import {
  difference,
  type Fact,
  factsIn,
  itemsOf,
  listOf,
  sameText,
  textOf,
  untouched,
} from './difference.ts';
import type { EntityFacts } from './shown.ts';

/** What is known of a list without order: items that it has, items that it lacks, and whether it has no others. */
interface Items {
  readonly there: readonly string[];
  readonly gone: readonly string[];
  readonly whole: boolean;
}

/** The items that a change of a list moved. */
export interface Moved {
  readonly added?: readonly string[] | undefined;
  readonly removed?: readonly string[] | undefined;
}

/** Nothing is known of the list. */
const noItems: Items = { there: [], gone: [], whole: false };

const wholeList = (items: readonly string[]): Items => ({
  there: [...itemsOf(items)].sort(),
  gone: [],
  whole: true,
});

/** A list with the items that a change added, less those that it removed. */
function withMoved({ there, gone, whole }: Items, { added = [], removed = [] }: Moved): Items {
  const [more, fewer] = [itemsOf(added), itemsOf(removed)];
  return {
    there: [...new Set([...there.filter((item) => !fewer.has(item)), ...more])].sort(),
    gone: [...new Set([...gone, ...fewer])].filter((item) => !more.has(item)).sort(),
    whole,
  };
}

/** The items that a shown list has and lacks, against what is known of it. */
function movedItems(
  { there, gone, whole }: Items,
  shown: readonly string[],
): { readonly added: string[]; readonly removed: string[] } {
  const now = itemsOf(shown);
  return {
    added: [...now].filter((item) => (whole ? !there.includes(item) : gone.includes(item))),
    removed: there.filter((item) => !now.has(item)),
  };
}

function sameItems(known: Items, shown: readonly string[]): boolean {
  const { added, removed } = movedItems(known, shown);
  return added.length + removed.length === 0;
}

type Field = Annotation['field'];
type Leads<Known> = Fact<Known>['leads'];
/** The field of `entity.annotated` that states a fact, and which of several. */
type Place = readonly [field: Field, aspect?: string];

/** A change with one of its annotations corrected; the change itself where that stays as it is. */
function withCorrected(
  change: Changes['entity.annotated'],
  [field, aspect]: Place,
  correct: (stated: Annotation) => Annotation,
): Changes['entity.annotated'] {
  const changes = change.changes.map((one) =>
    one.field === field && one.aspect === aspect ? correct(one) : one,
  );
  return changes.every((one, index) => one === change.changes[index]) ? change : { ...change, changes };
}

const statedIn = (changes: readonly Annotation[], [field, aspect]: Place): Annotation | undefined =>
  changes.findLast((change) => change.field === field && change.aspect === aspect);

const at = ([field, aspect]: Place): Pick<Annotation, 'field' | 'aspect'> => ({
  field,
  ...(aspect !== undefined && { aspect }),
});

const text = (place: Place, leads: Leads<string | null> = {}): Fact<string | null> => ({
  known: (shown) => shown,
  leads: {
    'entity.annotated': ({ changes }) => {
      const stated = statedIn(changes, place);
      return stated ? textOf(stated.to) : untouched;
    },
    ...leads,
  },
  corrects: {
    'entity.annotated': (change, before) =>
      withCorrected(change, place, (stated) => {
        const from = textOf(stated.from);
        return from === undefined || sameText(from, before) ? stated : { ...stated, from: before };
      }),
  },
  same: sameText,
  publishes: (from, to, { via, entity }) => [
    difference('entity.annotated', { changes: [{ ...at(place), from, to }], via }, entity),
  ],
});

/** A list, which events state as a whole or by the items that they add and remove. */
const list = (
  place: Place,
  leads: Fact<readonly string[], Items>['leads'] = {},
): Fact<readonly string[], Items> => ({
  known: wholeList,
  leads: {
    'entity.annotated': ({ changes }, before = noItems) => {
      const stated = statedIn(changes, place);
      return stated ? itemsAfter(before, stated) : untouched;
    },
    ...leads,
  },
  corrects: {
    'entity.annotated': (change, before) =>
      withCorrected(change, place, (stated) => {
        const from = stated.from === undefined ? undefined : listOf(stated.from);
        const corrected = withTrueMoves(stated, before);
        return from === undefined || !before.whole || sameItems(before, from)
          ? corrected
          : { ...corrected, from: [...before.there] };
      }),
  },
  same: sameItems,
  publishes: (from, to, { via, entity }) => {
    const values = from.whole ? { from: [...from.there], to: [...to] } : movedItems(from, to);
    const change: Annotation = { ...at(place), ...values };
    return [difference('entity.annotated', { changes: [change], via }, entity)];
  },
});

/** Items that a change adds or removes, without those that were there already, or were not there. */
function withTrueMoves<Moves extends Pick<Annotation, 'added' | 'removed'>>(
  moves: Moves,
  { there, gone, whole }: Items,
): Moves {
  const { added, removed } = moves;
  const more = added?.filter((item) => !there.includes(item.trim()));
  const fewer = removed?.filter((item) =>
    whole ? there.includes(item.trim()) : !gone.includes(item.trim()),
  );
  const isTrue = more?.length === added?.length && fewer?.length === removed?.length;
  return isTrue ? moves : { ...moves, ...(more && { added: more }), ...(fewer && { removed: fewer }) };
}

/** What a change makes of a list; undefined where it does not say. */
function itemsAfter(before: Items, { to, added, removed }: Annotation): Items | undefined {
  if (to === undefined) return added || removed ? withMoved(before, { added, removed }) : undefined;
  const items = listOf(to);
  return items && wholeList(items);
}

const addedList = (items: readonly string[] | undefined): Items | undefined => items && wholeList(items);

const tags: Fact<readonly string[], Items> = {
  known: wholeList,
  leads: {
    // A copied entity may bring tags that the row does not name.
    'entity.added': ({ tags: given, copiedFrom }) =>
      given && { ...wholeList(given), whole: copiedFrom === null },
    'entity.tags-changed': (change, before = noItems) => withMoved(before, change),
  },
  corrects: { 'entity.tags-changed': withTrueMoves },
  same: sameItems,
  publishes: (from, to, { via, entity }) => [
    difference('entity.tags-changed', { ...movedItems(from, to), via }, entity),
  ],
};

/** Null where rows put the entity on the panel and none stated its rating: what shows it first is published. */
const rating: Fact<Rating, Rating | null> = {
  known: (shown) => shown,
  leads: {
    'entity.added': ({ rating: given }) => given,
    'entity.classified': ({ to }) => to ?? untouched,
  },
  corrects: {
    'entity.classified': (change, before) =>
      change.from === null || before === null || change.from === before
        ? change
        : { ...change, from: before, direction: directionOf(before, change.to) },
    'entity.annotated': (change, before) =>
      !change.rating || before === null || change.rating === before ? change : { ...change, rating: before },
    'entity.removed': (change, before) =>
      change.rating === null || before === null || change.rating === before
        ? change
        : { ...change, rating: before },
  },
  same: (known, shown) => known === shown,
  publishes: (from, to, { via, entity }) => {
    const direction = from === null ? 'new' : directionOf(from, to);
    return [difference('entity.classified', { from, to, direction, via }, entity)];
  },
};

/** Sources by which experts rate an entity: its rating has a fact of its own. */
const besideRating = (sources: readonly string[]): readonly string[] =>
  sources.filter((source) => !/^Expert Review (?:Green|Amber|Red|Removed)$/.test(source.trim()));

/** Sources that were added or removed in truth; the rating says which of those that rate came and went. */
function withTrueSources(stated: Annotation, before: Items): Annotation {
  const others = {
    ...(stated.added && { added: [...besideRating(stated.added)] }),
    ...(stated.removed && { removed: [...besideRating(stated.removed)] }),
  };
  const moved = withTrueMoves(others, before);
  if (moved === others) return stated;
  const rating = (sources: readonly string[]): string[] =>
    sources.filter((source) => besideRating([source]).length === 0);
  return {
    ...stated,
    ...(stated.added && moved.added && { added: [...rating(stated.added), ...moved.added] }),
    ...(stated.removed && moved.removed && { removed: [...rating(stated.removed), ...moved.removed] }),
  };
}

const sources: Fact<readonly string[], Items> = {
  known: (shown) => wholeList(besideRating(shown)),
  leads: {
    'entity.added': ({ sources: given }) => wholeList(besideRating(given)),
    'entity.annotated': ({ changes }, before = noItems) => {
      // Which sources curators gave is unknown.
      if (statedIn(changes, ['sources', 'all'])) return undefined;
      const stated = statedIn(changes, ['sources']);
      if (!stated) return untouched;
      const [added, removed] = [stated.added ?? [], stated.removed ?? []].map(besideRating);
      return withMoved(before, { added, removed });
    },
  },
  corrects: {
    'entity.annotated': (change, before) =>
      withCorrected(change, ['sources'], (stated) => withTrueSources(stated, before)),
  },
  same: (known, shown) => sameItems(known, besideRating(shown)),
  publishes: (from, to, { via, entity }) => {
    const { added, removed } = movedItems(from, besideRating(to));
    const change: Annotation = {
      field: 'sources',
      ...(added.length > 0 && { added }),
      ...(removed.length > 0 && { removed }),
    };
    return [difference('entity.annotated', { changes: [change], via }, entity)];
  },
};

type Lists = 'tags' | 'sources' | 'phenotypes' | 'publications' | 'transcript';
type Table = { readonly [Name in Exclude<keyof EntityFacts, Lists | 'rating'>]: Fact<EntityFacts[Name]> } & {
  readonly rating: Fact<Rating, Rating | null>;
} & {
  readonly [Name in Lists]: Fact<readonly string[], Items>;
};

/**
 * Every kind of silent difference of an entity that stays on its panel. To add one, add the fact to `EntityFacts`: what
 * is missing here, and in the readers of listings and states, does not compile.
 */
const table = {
  rating,
  tags,
  grch37: text(['coordinates', 'GRCh37']),
  grch38: text(['coordinates', 'GRCh38']),
  haploinsufficiency: text(['dosage', 'haploinsufficiency']),
  triplosensitivity: text(['dosage', 'triplosensitivity']),
  requiredOverlap: text(['requiredOverlapPercentage']),
  variantType: text(['variantType']),
  verboseName: text(['verboseName']),
  chromosome: text(['chromosome']),
  repeatedSequence: text(['repeats', 'sequence']),
  normalRepeats: text(['repeats', 'normal']),
  pathogenicRepeats: text(['repeats', 'pathogenic']),
  gene: text(['gene']),
  modeOfInheritance: text(['modeOfInheritance'], {
    'entity.added': ({ modeOfInheritance }) => modeOfInheritance,
  }),
  modeOfPathogenicity: text(['modeOfPathogenicity'], {
    'entity.added': ({ modeOfPathogenicity }) => modeOfPathogenicity,
  }),
  penetrance: text(['penetrance'], { 'entity.added': ({ penetrance }) => penetrance }),
  phenotypes: list(['phenotypes'], { 'entity.added': ({ phenotypes }) => addedList(phenotypes) }),
  publications: list(['publications'], { 'entity.added': ({ publications }) => addedList(publications) }),
  transcript: list(['transcript']),
  sources,
} satisfies Table;

/** The facts of an entity, in the order in which their differences are published. */
export const entityFacts = factsIn(table);
