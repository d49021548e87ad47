import { directions, type EventKindName, eventKindNames as every, ratings } from './changes.ts';
import { entityTypes, typeName } from './schemas.ts';

/** An SNS message attribute, on which subscriptions can filter. */
export interface MessageAttribute {
  readonly type: 'String' | 'Number' | 'String.Array';
  /** All values that it can have, where they are a fixed list. */
  readonly values?: readonly string[];
  /** The events that can carry it; no other does. */
  readonly on: readonly EventKindName[];
  readonly meaning: string;
}

/** An unclassified row may be about an entity. */
const aboutEntities = every.filter((kind) => kind.startsWith('entity.') || kind === 'activity.unclassified');
const rated: readonly EventKindName[] = ['entity.classified'];

const table = {
  type: { type: 'String', on: every, values: every.map(typeName), meaning: "The event's `type`." },
  catalogue: { type: 'String', on: every, meaning: 'Name of the catalogue, as configured.' },
  panelId: {
    type: 'Number',
    on: every,
    meaning: 'Absent where a row could not be read, or its panel was deleted.',
  },
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
    meaning:
      'Absent where it is unknown. Of a correction, what is true and what was published before, as a `String.Array`; so are the two below.',
  },
  ratingTo: {
    type: 'String',
    on: rated,
    values: ratings,
    meaning: 'Absent where the log does not state it.',
  },
  direction: { type: 'String', on: rated, values: directions, meaning: 'From `ratingFrom` to `ratingTo`.' },
  panelTypes: {
    type: 'String.Array',
    on: every,
    meaning: 'Slugs. Absent where the list of public panels does not hold the panel.',
  },
  relevantDisorders: {
    type: 'String.Array',
    on: every,
    meaning: 'Names and R codes. Absent as for `panelTypes`, and where the panel has none.',
  },
} as const satisfies Readonly<Record<string, MessageAttribute>>;

export type AttributeName = keyof typeof table;
/** Every attribute, and which events can carry it: the settings' filters are checked against this table. */
export const messageAttributes: Readonly<Record<AttributeName, MessageAttribute>> = table;
export const attributeNames = Object.keys(messageAttributes) as readonly AttributeName[];
