import { directions, type EventKindName, eventKindNames as every, ratings } from './changes.ts';
import { entityTypes, typeName } from './schemas.ts';

/** A message attribute: what subscriptions can filter on (event contract, "SNS message attributes"). */
export interface MessageAttribute {
  readonly type: 'String' | 'Number' | 'String.Array';
  /** All values that it can have, where they are known. */
  readonly values?: readonly string[];
  /** The events that can carry it; no other does. */
  readonly on: readonly EventKindName[];
  readonly meaning: string;
}

/** A row that is not understood may be about an entity. */
const aboutEntities = every.filter((kind) => kind.startsWith('entity.') || kind === 'activity.unclassified');
const rated: readonly EventKindName[] = ['entity.classified'];

const table = {
  type: { type: 'String', on: every, values: every.map(typeName), meaning: "The event's `type`." },
  catalogue: { type: 'String', on: every, meaning: 'Name of the catalogue, as configured.' },
  panelId: { type: 'Number', on: every, meaning: 'Absent only where a row could not be read.' },
  entityType: { type: 'String', on: aboutEntities, values: entityTypes, meaning: '' },
  entityName: {
    type: 'String',
    on: aboutEntities,
    meaning: 'As the catalogue spells it, without control characters and cut to 256 characters.',
  },
  ratingFrom: {
    type: 'String',
    on: rated,
    values: ratings,
    meaning: 'Absent where the rating before is not known.',
  },
  ratingTo: { type: 'String', on: rated, values: ratings, meaning: 'Absent where the rating is not known.' },
  direction: { type: 'String', on: rated, values: directions, meaning: 'From `ratingFrom` to `ratingTo`.' },
  panelTypes: {
    type: 'String.Array',
    on: every,
    meaning: 'Slugs; absent where the list of public panels does not hold the panel.',
  },
  relevantDisorders: {
    type: 'String.Array',
    on: every,
    meaning: 'Names and R codes; absent as `panelTypes`, and where the panel has none.',
  },
} as const satisfies Readonly<Record<string, MessageAttribute>>;

export type AttributeName = keyof typeof table;
/** Every attribute, and which events can carry it: the settings' filters are checked against this table. */
export const messageAttributes: Readonly<Record<AttributeName, MessageAttribute>> = table;
export const attributeNames = Object.keys(messageAttributes) as readonly AttributeName[];
