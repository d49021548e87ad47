/** The values of fields that take few, without a schema: code that only compares them loads none. */

/** Ratings as lists: green is diagnostic; `none` is "No list". */
export const ratings = ['green', 'amber', 'red', 'none'] as const;
export const directions = ['upgraded', 'downgraded', 'new', 'unchanged', 'unknown'] as const;
export const entityTypes = ['gene', 'str', 'region'] as const;

/** The families of events; each has an SNS topic of its own, and every topic is complete for its family. */
export const topics = [
  'classifications',
  'promotions',
  'tags',
  'membership',
  'annotations',
  'reviews',
  'panels',
  'disagreements',
  'unclassified',
] as const;

export type Topic = (typeof topics)[number];

/**
 * What a kind of event is about: a panel, an entity on a panel, an entity that its row may fail to name, or a row of
 * the log. It decides whether `data.panel` and `data.entity` can be null.
 */
export type About = 'panel' | 'entity' | 'entity if named' | 'row';

interface EventKind {
  readonly topic: Topic;
  readonly about: About;
  readonly meaning: string;
}

/** Every type of event: its topic, what it is about, and what it means. `changes.ts` has the schema of its `change`. */
export const eventKinds = {
  'entity.classified': {
    topic: 'classifications',
    about: 'entity',
    meaning: 'A gene, STR or region was rated on a panel.',
  },
  'panel.promoted': { topic: 'promotions', about: 'panel', meaning: 'A panel got a new major version.' },
  'panel.signed-off': {
    topic: 'promotions',
    about: 'panel',
    meaning: 'A version of the panel was signed off, or a sign-off was withdrawn.',
  },
  'entity.tags-changed': {
    topic: 'tags',
    about: 'entity',
    meaning: 'Tags of a gene, STR or region were added or removed.',
  },
  'entity.added': {
    topic: 'membership',
    about: 'entity',
    meaning: 'A gene, STR or region was added to a panel.',
  },
  'entity.removed': {
    topic: 'membership',
    about: 'entity',
    meaning: 'A gene, STR or region was removed from a panel.',
  },
  'entity.renamed': {
    topic: 'membership',
    about: 'entity',
    meaning: 'A gene was replaced by another symbol, or an STR or region was renamed.',
  },
  'entity.annotated': {
    topic: 'annotations',
    about: 'entity',
    meaning: 'What a panel says of a gene, STR or region was changed, apart from its rating and tags.',
  },
  'entity.reviewed': {
    topic: 'reviews',
    about: 'entity',
    meaning: 'Somebody reviewed a gene, STR or region, or edited their review.',
  },
  'entity.review-deleted': {
    topic: 'reviews',
    about: 'entity if named',
    meaning: 'Somebody deleted their review.',
  },
  'entity.commented': {
    topic: 'reviews',
    about: 'entity if named',
    meaning: 'A comment was added, edited or deleted.',
  },
  'entity.reviews-copied': {
    topic: 'reviews',
    about: 'entity',
    meaning: 'Reviews of a gene, STR or region were copied from another panel.',
  },
  'entity.marked-ready': {
    topic: 'reviews',
    about: 'entity',
    meaning: 'A curator marked a gene, STR or region as ready.',
  },
  'panel.created': { topic: 'panels', about: 'panel', meaning: 'A panel was created.' },
  'panel.deleted': { topic: 'panels', about: 'panel', meaning: 'A panel was deleted.' },
  'panel.published': { topic: 'panels', about: 'panel', meaning: 'A panel became public.' },
  'panel.withdrawn': { topic: 'panels', about: 'panel', meaning: 'A panel is no longer public.' },
  'panel.changed': {
    topic: 'panels',
    about: 'panel',
    meaning: 'The name, status, types or other properties of a panel were changed.',
  },
  'entity.disagreement': {
    topic: 'disagreements',
    about: 'entity',
    meaning:
      'Two compared catalogues began or ceased to disagree: a gene, STR or region became green in one alone, or red or unrated against green; it is green in both and its modes of inheritance now differ; or both agree again.',
  },
  'activity.unclassified': {
    topic: 'unclassified',
    about: 'row',
    meaning: 'No template matches a row of the log, or the row is invalid; a person should look at it.',
  },
} as const satisfies Record<string, EventKind>;

/** The name of a type without the prefix `gene-panel.` and the version suffix. */
export type EventKindName = keyof typeof eventKinds;
export const eventKindNames = Object.keys(eventKinds) as readonly EventKindName[];

const typesByKind = new Map<EventKindName, string>(
  eventKindNames.map((kind) => [kind, `gene-panel.${kind}.v1`]),
);
const kindsByType = new Map([...typesByKind].map(([kind, type]) => [type, kind]));

/** `gene-panel.entity.classified.v1` from `entity.classified`. */
export function typeName<Kind extends EventKindName>(kind: Kind): `gene-panel.${Kind}.v1` {
  return typesByKind.get(kind) as `gene-panel.${Kind}.v1`;
}

/**
 * Whether an event says how two catalogues differ, not what changed on a panel of one: nothing that the panel holds follows from it.
 */
export const isDisagreement = ({ type }: { readonly type: string }): boolean =>
  kindOf(type) === 'entity.disagreement';

/** The kind of an event from its `type`; undefined for a type that this version does not know. */
export function kindOf(type: string): EventKindName | undefined {
  return kindsByType.get(type);
}
