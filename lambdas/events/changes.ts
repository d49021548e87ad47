import * as z from 'zod';
import type { Topic } from './topics.ts';

/**
 * What changed, one schema for each type of event. This table is the one source of the types, of the JSON
 * Schemas in `docs/schemas` and of the event reference. A field is absent where the catalogue did not state it;
 * `null` is a value stated to be empty, or, where the description says so, unknown.
 */

/** Ratings as lists: green is diagnostic; `none` is "No list". */
export const ratings = ['green', 'amber', 'red', 'none'] as const;
export const ratingSchema = z.enum(ratings);
export type Rating = z.infer<typeof ratingSchema>;

export const directions = ['upgraded', 'downgraded', 'new', 'unchanged', 'unknown'] as const;
export type Direction = (typeof directions)[number];

const viaSchema = z
  .enum(['activity', 'listing'])
  .describe('`activity`, or absent: read from the log. `listing`: found by comparing two listings.');
const text = z.string();
const textOrNull = z.string().nullable();
const texts = z.array(z.string());

const classified = () =>
  z.object({
    from: ratingSchema.nullable().describe('The previous rating; null where it is unknown.'),
    to: ratingSchema.nullable().describe('The rating now; null where the log does not state it.'),
    direction: z.enum(directions).describe('From `from` to `to`; `new` for an entity that was just added.'),
    via: viaSchema.optional(),
  });

const promoted = () =>
  z.object({
    version: text.describe('The version that the panel was promoted to.'),
    previousVersion: textOrNull.describe('The last version known before; null where none is known.'),
    via: viaSchema,
  });

const signedOff = () =>
  z.object({
    signedOff: z.boolean().describe('False where a signed-off version was withdrawn.'),
    version: text
      .optional()
      .describe('The version that was signed off or withdrawn, where the log names it.'),
    date: text.optional().describe('The date of the sign-off, such as `2024-03-06`, where the log names it.'),
    via: viaSchema,
  });

const tagsChanged = () => z.object({ added: texts, removed: texts, via: viaSchema.optional() });

const added = () =>
  z.object({
    rating: ratingSchema
      .nullable()
      .describe('From an `Expert Review …` source; null where the log does not state the rating.'),
    sources: texts,
    tags: texts,
    copiedFrom: textOrNull.describe('Name of the panel that the entity was copied from.'),
    modeOfInheritance: textOrNull.optional(),
    modeOfPathogenicity: textOrNull.optional(),
    penetrance: textOrNull.optional(),
    phenotypes: texts.optional(),
    publications: texts.optional(),
    via: viaSchema.optional(),
  });

const removed = () =>
  z.object({
    rating: ratingSchema.nullable().describe('The last rating known; null where none is.'),
    via: viaSchema.optional(),
  });

const renamed = () =>
  z.object({ from: text.describe('The name before.'), to: text.describe('The name now.') });

const annotationFields = [
  'modeOfInheritance',
  'modeOfPathogenicity',
  'phenotypes',
  'publications',
  'penetrance',
  'transcript',
  'sources',
  'gene',
  'verboseName',
  'chromosome',
  'coordinates',
  'repeats',
  'dosage',
  'variantType',
  'requiredOverlapPercentage',
] as const;

const value = z.union([z.string(), z.array(z.string()), z.null()]);

const annotation = () =>
  z.object({
    field: z.enum(annotationFields),
    aspect: text
      .optional()
      .describe(
        'Which of several: `GRCh37` or `GRCh38` (coordinates), `sequence`, `normal` or `pathogenic` (repeats), ' +
          '`haploinsufficiency` or `triplosensitivity` (dosage), `all` (every source that curators gave was removed).',
      ),
    from: value.optional(),
    to: value.optional(),
    added: texts.optional(),
    removed: texts.optional(),
  });
export type Annotation = z.infer<ReturnType<typeof annotation>>;

const annotated = () => z.object({ changes: z.array(annotation()), via: viaSchema.optional() });

const reviewed = () =>
  z.object({
    rating: ratingSchema.nullable().optional().describe("The reviewer's own rating, not the panel's."),
    modeOfPathogenicity: textOrNull.optional(),
    publications: texts.optional().describe('Also absent where the items cannot be separated.'),
    phenotypes: texts.optional().describe('Also absent where the items cannot be separated.'),
    modeOfInheritance: textOrNull.optional(),
    currentDiagnostic: z.boolean().optional(),
    clinicallyRelevant: z.boolean().optional(),
    comment: text.optional().describe('The comment given with an edited review, where the log holds it.'),
    edited: z
      .boolean()
      .describe('True where an earlier review was changed; then only what changed is given.'),
  });
export type Review = z.infer<ReturnType<typeof reviewed>>;

const nothing = () => z.object({});

const commented = () =>
  z.object({
    comment: textOrNull.describe('Null where the log does not hold the text.'),
    action: z.enum(['added', 'edited', 'deleted']),
    previousComment: textOrNull.optional(),
  });

const reviewsCopied = () => z.object({ fromPanel: text.describe('Name of the other panel.') });

const panelCreated = () =>
  z.object({
    name: text,
    relatedPanels: texts.optional(),
    childPanels: texts.optional(),
    types: texts.optional(),
  });
const panelDeleted = () => z.object({ name: text });
const panelVia = () => z.object({ via: viaSchema });

const panelFields = [
  'name',
  'description',
  'status',
  'types',
  'childPanels',
  'relatedPanels',
  'hpoTerms',
  'diseaseGroup',
  'diseaseSubGroup',
  'relevantDisorders',
  'version',
  'numberOfGenes',
  'numberOfStrs',
  'numberOfRegions',
] as const;

const panelChange = () =>
  z.object({
    field: z.enum(panelFields),
    from: value.optional(),
    to: value.optional(),
  });
export type PanelChange = z.infer<ReturnType<typeof panelChange>>;

const panelChanged = () => z.object({ changes: z.array(panelChange()), via: viaSchema.optional() });

const unclassified = () =>
  z.object({
    reason: z
      .enum(['unknown-text', 'unknown-line', 'invalid-row'])
      .describe(
        '`unknown-text`: no template matches the text. `unknown-line`: no template matches some lines; the others are events of their own. `invalid-row`: the row could not be read, or could not be sent as it was.',
      ),
    detail: text.optional().describe('What was wrong with the row, or which lines no template matches.'),
    shape: text
      .optional()
      .describe('The wording without names, numbers and free text: equal for texts of one wording.'),
    row: z.unknown().describe('The row as received.'),
  });

/**
 * What a kind of event is about: a panel, an entity on a panel, an entity that its row may fail to name, or a row of
 * the log. It decides whether `data.panel` and `data.entity` can be null.
 */
export type About = 'panel' | 'entity' | 'entity if named' | 'row';

interface EventKind {
  readonly topic: Topic;
  readonly about: About;
  /** Makes the schema of `change`: only readers of events and the reference need it. */
  readonly change: () => z.ZodType;
  readonly meaning: string;
}

/** Every type of event: its topic, what it is about, how the schema of its `change` is made, and what it means. */
export const eventKinds = {
  'entity.classified': {
    topic: 'classifications',
    about: 'entity',
    change: classified,
    meaning: 'The rating of an entity on a panel was set.',
  },
  'panel.promoted': {
    topic: 'promotions',
    about: 'panel',
    change: promoted,
    meaning: 'A panel got a new major version.',
  },
  'panel.signed-off': {
    topic: 'promotions',
    about: 'panel',
    change: signedOff,
    meaning: 'A version of the panel was signed off, or a sign-off was withdrawn.',
  },
  'entity.tags-changed': {
    topic: 'tags',
    about: 'entity',
    change: tagsChanged,
    meaning: 'Tags of an entity were added or removed.',
  },
  'entity.added': {
    topic: 'membership',
    about: 'entity',
    change: added,
    meaning: 'An entity was added to a panel.',
  },
  'entity.removed': {
    topic: 'membership',
    about: 'entity',
    change: removed,
    meaning: 'An entity was removed from a panel.',
  },
  'entity.renamed': {
    topic: 'membership',
    about: 'entity',
    change: renamed,
    meaning: 'A gene was replaced by another symbol, or an STR or region was renamed.',
  },
  'entity.annotated': {
    topic: 'annotations',
    about: 'entity',
    change: annotated,
    meaning: 'What a panel says of an entity, apart from its rating and tags, was changed.',
  },
  'entity.reviewed': {
    topic: 'reviews',
    about: 'entity',
    change: reviewed,
    meaning: 'Somebody reviewed an entity, or edited their review.',
  },
  'entity.review-deleted': {
    topic: 'reviews',
    about: 'entity if named',
    change: nothing,
    meaning: 'Somebody deleted their review.',
  },
  'entity.commented': {
    topic: 'reviews',
    about: 'entity if named',
    change: commented,
    meaning: 'A comment was added, edited or deleted.',
  },
  'entity.reviews-copied': {
    topic: 'reviews',
    about: 'entity',
    change: reviewsCopied,
    meaning: 'Reviews of an entity were copied from another panel.',
  },
  'entity.marked-ready': {
    topic: 'reviews',
    about: 'entity',
    change: nothing,
    meaning: 'A curator marked an entity as ready.',
  },
  'panel.created': { topic: 'panels', about: 'panel', change: panelCreated, meaning: 'A panel was created.' },
  'panel.deleted': { topic: 'panels', about: 'panel', change: panelDeleted, meaning: 'A panel was deleted.' },
  'panel.published': { topic: 'panels', about: 'panel', change: panelVia, meaning: 'A panel became public.' },
  'panel.withdrawn': {
    topic: 'panels',
    about: 'panel',
    change: panelVia,
    meaning: 'A panel is no longer public.',
  },
  'panel.changed': {
    topic: 'panels',
    about: 'panel',
    change: panelChanged,
    meaning: 'The name, status, types or other properties of a panel were changed.',
  },
  'activity.unclassified': {
    topic: 'unclassified',
    about: 'row',
    change: unclassified,
    meaning: 'No template matches a row of the log, or the row is invalid; a person should look at it.',
  },
} as const satisfies Record<string, EventKind>;

/** The name of a type without the prefix `gene-panel.` and the version suffix. */
export type EventKindName = keyof typeof eventKinds;
export const eventKindNames = Object.keys(eventKinds) as readonly EventKindName[];

/** What changed, by kind of event. */
export type Changes = {
  readonly [Kind in EventKindName]: z.infer<ReturnType<(typeof eventKinds)[Kind]['change']>>;
};
