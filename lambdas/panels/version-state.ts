import * as z from 'zod';
import { type Rating, ratingSchema, ratings } from '../events/changes.ts';
import { entityTypes } from '../events/kinds.ts';
import { formatInstant } from '../run/instant.ts';

/**
 * One entity of a panel at one version, as states keep it. A state of thousands is checked in place when it is read: a schema of
 * zod would copy it, which takes longer than parsing it. A field of an entity that the catalogue did not serve is absent: it may have
 * had any value.
 */

type Check<Value> = (value: unknown) => value is Value;
type Checks = Readonly<Record<string, Check<unknown>>>;
type Checked<Of extends Checks> = {
  [Field in keyof Of]: Of[Field] extends Check<infer Value> ? Value : never;
};

const isText = (value: unknown): value is string => typeof value === 'string';
const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value);
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);
const isNumber = (value: unknown): value is number => Number.isSafeInteger(value);
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const oneOf =
  <const Value>(values: readonly Value[]) =>
  (value: unknown): value is Value =>
    values.some((one) => one === value);

function objectOf<Required extends Checks>(required: Required): Check<Checked<Required>>;
function objectOf<Required extends Checks, Optional extends Checks>(
  required: Required,
  optional: Optional,
): Check<Checked<Required> & Partial<Checked<Optional>>>;
function objectOf(required: Checks, optional: Checks = {}): Check<unknown> {
  const [needed, possible] = [Object.entries(required), Object.entries(optional)];
  return (value): value is unknown =>
    isObject(value) &&
    needed.every(([field, check]) => check(value[field])) &&
    possible.every(([field, check]) => value[field] === undefined || check(value[field]));
}

/** One value for each genome build. */
const isBuilds = objectOf({ GRCh37: isTextOrNull, GRCh38: isTextOrNull });
const isChild = objectOf({ id: isNumber, name: isTextOrNull, version: isTextOrNull });

const required = {
  type: oneOf(entityTypes),
  /** The gene symbol that the panel uses, or the name of the STR or region. */
  name: isText,
  /** `HGNC:1100`; null where the catalogue gives none. */
  hgncId: isTextOrNull,
  /** Of the newest Ensembl release that the catalogue gives. */
  ensemblIds: isBuilds,
  omimIds: isTexts,
  /** `11:118955576-118964259`. */
  locations: isBuilds,
  /** Null where the catalogue did not serve one. */
  rating: oneOf([...ratings, null]),
  /** The panel of a super panel that holds the entity; null in other panels. */
  child: (value: unknown): value is ChildPanel | null => value === null || isChild(value),
};
type ChildPanel = typeof isChild extends Check<infer Value> ? Value : never;

const optional = {
  tags: isTexts,
  evidence: isTexts,
  phenotypes: isTexts,
  publications: isTexts,
  transcript: isTexts,
  modeOfInheritance: isTextOrNull,
  modeOfPathogenicity: isTextOrNull,
  penetrance: isTextOrNull,
  chromosome: isTextOrNull,
  repeatedSequence: isTextOrNull,
  normalRepeats: isTextOrNull,
  pathogenicRepeats: isTextOrNull,
  verboseName: isTextOrNull,
  variantType: isTextOrNull,
  haploinsufficiency: isTextOrNull,
  triplosensitivity: isTextOrNull,
  requiredOverlap: isTextOrNull,
};

/** One entity of a panel at one version. */
export type StateEntity = Checked<typeof required> & Partial<Checked<typeof optional>>;

/** Every field that an entity may have. */
export const stateEntityFields = Object.keys({ ...required, ...optional }) as readonly (keyof StateEntity)[];

/** Whether a value is an entity of a state. */
const isStateEntity: Check<StateEntity> = objectOf(required, optional);

/** @throws {Error} when the value is no list of entities */
export function entitiesIn(read: unknown): StateEntity[] {
  if (!Array.isArray(read)) throw new Error('the entities of a panel state are not a list');
  const wrong = read.findIndex((one) => !isStateEntity(one));
  if (wrong >= 0) throw new Error(`entity ${wrong} of a panel state is not one that states keep`);
  return read;
}

/**
 * What a panel held at one version. Times are instants as text (microseconds since 1970), as the store keeps them.
 */

const text = z.string().nullable();
const texts = z.array(z.string());
const instant = z.lazy(() => z.string().regex(/^\d+$/).transform(BigInt));

export const proofSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    /** The state before and the events between lead to this state. */
    z.object({ kind: z.literal('proven') }),
    /**
     * The first state of a panel that was read: nothing is known of the time before. With `after`, the panel began anew with it, because its
     * numbers went back since that version.
     */
    z.object({ kind: z.literal('baseline'), after: z.string().optional() }),
    /**
     * Some differences had no event, and were published with `via: snapshot`: so many events. So many others stated something else of
     * before than the states show, and were corrected.
     */
    z.object({ kind: z.literal('explained'), events: z.int(), corrected: z.int().optional() }),
    /** It has not been compared yet, or could not be; `why` is a clause for people. */
    z.object({
      kind: z.literal('unproven'),
      why: z.string(),
      /** It was asked for out of order, such as for the ratings before a row: the versions before it may be unread. */
      ahead: z.literal(true).optional(),
      /** It is from before the panel was followed, and was read for its sign-off: no proof of it is due. */
      alone: z.literal(true).optional(),
      /** Nothing can prove it any more. */
      lost: z.literal(true).optional(),
      /** The panel begins anew with it: its numbers went back since this version. */
      after: z.string().optional(),
    }),
  ]),
);
/** Whether the log and the events explain a state. */
export type Proof = z.infer<typeof proofSchema>;

/** The proof of a state that was read and not compared yet. */
export const notCompared = { kind: 'unproven', why: 'it has not been compared yet' } as const satisfies Proof;

export const summarySchema = z.lazy(() =>
  z.object({
    panelId: z.int(),
    panelName: z.string(),
    hashId: text,
    status: text,
    /** Slugs of the panel types. */
    types: texts,
    relevantDisorders: texts,
    /** Ids of the panels of a super panel; empty for other panels. */
    childPanels: z.array(z.int()),
    version: z.string(),
    /** The types of which every entity is known: an archive of years ago serves genes alone. */
    whole: z.array(z.enum(entityTypes)),
    /** When the panel got the version. */
    validFrom: instant,
    /** When the panel got the next version; null while it has this one, or where that is unknown. */
    validTo: instant.nullable(),
    /** `archive`: as the version was at its end. `present`: as the panel was when it was read. */
    source: z.enum(['archive', 'present']),
    /** When the content was read; first, where the panel as it was and the archive of the version are the same. */
    readAt: instant,
    /** Of the entities in canonical form, in hexadecimal digits: equal for equal content in any order. */
    sha256: z.string(),
    /** Green, amber, red and unrated entities together. */
    entityCount: z.int(),
    greenCount: z.int(),
    proof: proofSchema,
  }),
);
/** A version of a panel whose state is kept, without the entities. */
export type VersionSummary = z.infer<typeof summarySchema>;

/** A version as people name it: `Breast cancer (635) 3.2`. */
export const versionNamed = ({
  panelName,
  panelId,
  version,
}: Pick<VersionSummary, 'panelName' | 'panelId' | 'version'>): string =>
  `${panelName} (${panelId}) ${version}`;

/** What a panel held at one version. */
export interface VersionState extends VersionSummary {
  readonly entities: readonly StateEntity[];
}

export const holdingSchema = z.lazy(() =>
  z.object({
    panelId: z.int(),
    type: z.enum(entityTypes),
    name: z.string(),
    hgncId: text,
    rating: ratingSchema.nullable(),
  }),
);
/**
 * An entity on a panel, as the newest state of the panel shows it. Without the version and the name of the panel, so that a
 * new version rewrites what it changed alone.
 */
export type Holding = z.infer<typeof holdingSchema>;

/** A version of a panel that the catalogue lists as signed off. */
export const signOffSchema = z.lazy(() =>
  z.object({
    panelId: z.int(),
    panelName: z.string(),
    version: z.string(),
    /** The day of the sign-off, such as `2026-03-01`. */
    date: z.string(),
    /** When it was listed first. */
    listedAt: instant,
    /** When it was found to be no longer listed; null while it is. */
    removedAt: instant.nullable(),
  }),
);
export type SignOff = z.infer<typeof signOffSchema>;

/** What the differences of a version were found against: the same difference of it has one id, from a proof or a poll. */
export const foundAgainst = ({ version, validFrom }: VersionSummary): string =>
  `${version} ${formatInstant(validFrom)}`;

/** What distinguishes an entity from others on any panel. */
export type Identified = Pick<Holding, 'type' | 'name' | 'hgncId'>;

/**
 * What an entity is found by on any panel: a gene by its HGNC id under any symbol; an STR, a region, or a gene
 * without an HGNC id by its name in lower case. An STR is not its gene.
 */
export function identityOf({ type, name, hgncId }: Identified): string {
  return type === 'gene' && hgncId !== null ? hgncId : `${type}:${name.toLowerCase()}`;
}

const order: readonly (Rating | null)[] = ['green', 'amber', 'red', 'none', null];

/**
 * What a panel holds, by identity. A super panel may hold one gene several times, with different ratings: the highest
 * one counts.
 */
export function holdingsOf({ panelId, entities }: VersionState): ReadonlyMap<string, Holding> {
  const holdings = new Map<string, Holding>();
  for (const entity of entities) {
    const identity = identityOf(entity);
    const known = holdings.get(identity);
    if (known && order.indexOf(known.rating) <= order.indexOf(entity.rating)) continue;
    const { type, name, hgncId, rating } = entity;
    holdings.set(identity, { panelId, type, name, hgncId, rating });
  }
  return holdings;
}
