import { entityTypes } from '../events/closed-lists.ts';
import { ratings } from '../events/ratings.ts';

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
