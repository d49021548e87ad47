import * as z from 'zod';
import { directions, type EventKindName, ratings } from './kinds.ts';

export { type About, directions, type EventKindName, eventKindNames, eventKinds } from './kinds.ts';

/**
 * What changed, one schema for each type of event. This table is the one source of the types, of the JSON
 * Schemas in `docs/schemas` and of the event reference. A field is absent where the catalogue did not state it;
 * `null` is a value stated to be empty, or, where the description says so, unknown.
 */

export type Direction = (typeof directions)[number];

const viaSchema = z
  .enum(['activity', 'listing', 'snapshot'])
  .describe(
    '`activity`, or absent: in the log. `listing`: by comparing two listings. ' +
      '`snapshot`: by comparing what the panel held at two versions, or in the list of signed-off versions.',
  );
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
    signedOffVersion: text
      .optional()
      .describe(
        'The version that is signed off, by the list of signed-off versions; hardly ever `panel.version`. Absent where the list was not read.',
      ),
    signedOffDate: text
      .optional()
      .describe('The day from which it is signed off, such as `2024-03-06`; it may lie in the future.'),
    previousSignedOffVersion: text
      .optional()
      .describe('The version that was signed off before. Absent where none is known.'),
    previousSignedOffDate: text.optional(),
    comparison: signOffComparisonSchema()
      .optional()
      .describe('What the sign-off changed. Webhooks add it; the topics and the history do not have it.'),
    via: viaSchema,
  });

const tagsChanged = () => z.object({ added: texts, removed: texts, via: viaSchema.optional() });

const added = () =>
  z.object({
    rating: ratingSchema
      .nullable()
      .describe('From an `Expert Review …` source; null where the log does not state the rating.'),
    sources: texts,
    tags: texts
      .optional()
      .describe('Absent where they cannot be separated; then there is no `entity.tags-changed` either.'),
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
  z.object({
    from: text.describe('The name before.'),
    to: text.describe('The name now.'),
    via: viaSchema.optional(),
  });

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
  'hgncId',
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

const annotated = () =>
  z.object({
    changes: z.array(annotation()),
    rating: ratingSchema
      .nullable()
      .optional()
      .describe(
        'Null where it is unknown. Stated with a change of the mode of inheritance; and the last one known, where the source of the rating was removed.',
      ),
    via: viaSchema.optional(),
  });

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

/** How two catalogues stand to each other about something: in which of them it is green, and with what it stands against that. */
export const disagreementStandings = [
  'here',
  'there',
  'here-two-steps',
  'there-two-steps',
  'inheritance',
  'agreed',
] as const;
export type DisagreementStanding = (typeof disagreementStandings)[number];

const disagreementSide = () =>
  z.object({
    rating: z
      .union([ratingSchema, z.literal('absent')])
      .describe('`absent`: the panel was read, and does not hold it.'),
    modesOfInheritance: z.array(text).describe('As the catalogue writes them; of a super panel several.'),
    since: text.describe('Since when it is rated so, or has this mode of inheritance, in UTC.'),
    sinceIsExact: z.boolean().describe('False where it may have been so earlier.'),
    signedOff: z
      .object({
        version: text,
        date: text,
        rating: z
          .union([ratingSchema, z.literal('absent')])
          .nullable()
          .describe('Null where it is unknown.'),
      })
      .nullable()
      .describe('The signed-off version; null where none is, or it was not read.'),
    ratedBy: textOrNull.describe(
      'Who rated it last; like the comment, null where no event that was read says.',
    ),
    comment: textOrNull.describe('What somebody wrote about it last.'),
    commentBy: textOrNull.describe('Who wrote it.'),
  });

const disagreement = () =>
  z.object({
    from: z
      .enum(disagreementStandings)
      .describe(
        'Where it was green before: `here`, in `data.catalogue` alone; `there`, in the other one alone; `…-two-steps`, the same, and red or unrated in the other of the two; `inheritance`, in both, with modes of inheritance of other groups; `agreed`, in both or in neither.',
      ),
    to: z.enum(disagreementStandings).describe('Where it is green now, in the same words.'),
    here: disagreementSide().describe('What the panel of `data.catalogue` says.'),
    there: disagreementSide()
      .extend({
        catalogue: text,
        panel: z.object({ id: z.number().int(), name: text, version: text }),
        name: textOrNull.describe('What the entity is called there; null where the panel does not hold it.'),
      })
      .describe('What the panel of the other catalogue says that belongs to this one.'),
  });
/** A change of whether two catalogues agree, as its event states it. */
export type DisagreementChange = z.infer<ReturnType<typeof disagreement>>;

const unclassified = () =>
  z.object({
    reason: z
      .enum(['unknown-text', 'unknown-line', 'invalid-row'])
      .describe(
        '`unknown-text`: no template matches. `unknown-line`: no template matches some lines; the others are events of their own. `invalid-row`: the row could not be read or sent.',
      ),
    detail: text.optional().describe('What was wrong with the row, or which lines no template matches.'),
    shape: text
      .optional()
      .describe('The wording without names, numbers and free text: equal for texts of one wording.'),
    row: z.unknown().describe('The row as received.'),
  });

/** Makes the schema of `change` for each kind of event: only readers of events and the reference need it. */
export const changeSchemas = {
  'entity.classified': classified,
  'panel.promoted': promoted,
  'panel.signed-off': signedOff,
  'entity.tags-changed': tagsChanged,
  'entity.added': added,
  'entity.removed': removed,
  'entity.renamed': renamed,
  'entity.annotated': annotated,
  'entity.reviewed': reviewed,
  'entity.review-deleted': nothing,
  'entity.commented': commented,
  'entity.reviews-copied': reviewsCopied,
  'entity.marked-ready': nothing,
  'panel.created': panelCreated,
  'panel.deleted': panelDeleted,
  'panel.published': panelVia,
  'panel.withdrawn': panelVia,
  'panel.changed': panelChanged,
  'entity.disagreement': disagreement,
  'activity.unclassified': unclassified,
} as const satisfies Readonly<Record<EventKindName, () => z.ZodType>>;

/** What changed, by kind of event. */
export type Changes = {
  readonly [Kind in EventKindName]: z.infer<ReturnType<(typeof changeSchemas)[Kind]>>;
};

const ratingAt = () =>
  z
    .union([ratingSchema, z.literal('absent')])
    .nullable()
    .describe('`absent`: the version does not hold it. Null: the catalogue did not serve it.');

const comparedEntity = () =>
  z.object({
    entity: z.object({
      type: z.enum(['gene', 'str', 'region']),
      name: z.string(),
      hgncId: z.string().optional(),
    }),
    before: ratingAt(),
    after: ratingAt(),
    modeOfInheritance: z.string().nullable().describe('In the later version.'),
  });

const compared = (description: string) => z.array(comparedEntity()).nullable().describe(description);

/** What a sign-off changed of what counts. A list is null where one of its versions is unknown; `unknown` says which. */
const signOffComparisonSchema = () =>
  z.object({
    entered: compared('Green in the version that is signed off, and not in the one before.'),
    left: compared('Green in the one before, and no longer in the one that is signed off.'),
    awaiting: compared('Green in the newest version that is known, and not in the one that is signed off.'),
    downgraded: compared(
      'Green in the one that is signed off, and no longer in the newest one that was read.',
    ),
    green: compared('All that is green, where what was signed off before is unknown.'),
    newest: z.string().nullable().describe('The newest version that is known.'),
    counting: z
      .object({ version: z.string(), date: z.string() })
      .nullable()
      .describe('Another sign-off that counts at present.'),
    filtered: z.boolean().describe('Whether the lists hold only what the subscription asks for.'),
    unknown: z
      .array(z.string())
      .describe('What could not be compared, in sentences. Its list is null, never empty.'),
  });

export { ratings };
export const ratingSchema = z.enum(ratings);
export type Rating = z.infer<typeof ratingSchema>;
