import { type AttributeName, type MessageAttribute, messageAttributes } from '../events/attributes.ts';
import type { Changes } from '../events/changes.ts';
import type { PanelEvent } from '../events/schemas.ts';
import { controls, noncharacters, separators } from '../run/printable.ts';

/** One SNS message attribute; subscriptions filter on them. */
export interface Attribute {
  readonly type: MessageAttribute['type'];
  readonly value: string;
}

/** The longest single value, in UTF-16 units; names in the catalogue are far shorter. */
const LONGEST_VALUE = 256;
/** The longest array as JSON, in bytes, so that most of a message is left for the event. */
const LONGEST_ARRAY = 8_192;
/** Values that need no cleaning: nearly all. */
const ordinary = /^[!-~]+(?: [!-~]+)*$/;

/**
 * The attributes that subscriptions can filter on (docs/events.md); absent where there is no value. They hold
 * nothing about people: the encryption of a topic does not cover attributes.
 */
export function attributesOf(event: PanelEvent): Readonly<Record<string, Attribute>> {
  const { catalogue, panel, entity } = event.data;
  const attributes: Record<string, Attribute> = {};
  const set = (name: AttributeName, value: string | null): void => {
    if (value) attributes[name] = { type: messageAttributes[name].type, value };
  };
  set('type', event.type);
  set('catalogue', cleaned(catalogue));
  if (typeof panel?.id === 'number') set('panelId', String(panel.id));
  if (entity) {
    set('entityType', entity.type);
    set('entityName', cleaned(entity.name));
  }
  if (event.type === 'gene-panel.entity.classified.v1') {
    const { change, correctedChange: corrected } = event.data;
    // A correction reaches who asks for what is true, and who got what was not.
    for (const [name, key] of ratingAttributes) {
      const [value, before] = [change[key], corrected?.[key] ?? null];
      if (before === null || before === value) set(name, value);
      else
        attributes[name] = { type: 'String.Array', value: JSON.stringify([value, before].filter(Boolean)) };
    }
  }
  set('panelTypes', arrayOf(panel?.types));
  set('relevantDisorders', arrayOf(panel?.relevantDisorders));
  return attributes;
}

const ratingAttributes = [
  ['ratingFrom', 'from'],
  ['ratingTo', 'to'],
  ['direction', 'direction'],
] as const satisfies readonly (readonly [AttributeName, keyof Changes['entity.classified']])[];

function arrayOf(texts: readonly string[] | undefined): string | null {
  if (!texts || texts.length === 0) return null;
  const distinct = [...new Set(texts.map(cleaned))];
  const whole = JSON.stringify(distinct.filter(Boolean));
  if (whole === '[]') return null;
  // A UTF-16 unit takes three bytes at most. No array of a real panel is so long that its bytes are counted.
  return whole.length * 4 < LONGEST_ARRAY ? whole : JSON.stringify(firstOf(distinct));
}

/** The first texts that are together not too long, without the empty one. */
function firstOf(texts: readonly string[]): readonly string[] {
  let bytes = 2;
  const end = texts.findIndex((text) => {
    bytes += Buffer.byteLength(JSON.stringify(text)) + 1;
    return bytes > LONGEST_ARRAY;
  });
  return texts.slice(0, end === -1 ? texts.length : end).filter(Boolean);
}

const refused = new RegExp(`[${controls}${separators}${noncharacters}]+`, 'gu');

/** SNS refuses empty values. SQS refuses control characters, lone surrogates, U+FFFE and U+FFFF. */
function cleaned(text: string): string {
  if (text.length <= LONGEST_VALUE && ordinary.test(text)) return text;
  const spaced = text.toWellFormed().replace(refused, ' ');
  return cutText(spaced.trim(), LONGEST_VALUE).trim();
}

/** The first `length` UTF-16 units of a text; one less where a surrogate pair would be cut in two. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
