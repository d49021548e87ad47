import type { PanelEvent } from '../events/schemas.ts';
import { cutText } from './cut-text.ts';
import type { Attribute } from './message.ts';

/** The longest single value, in UTF-16 units; names in the catalogue are far shorter. */
const LONGEST_VALUE = 256;
/** The longest array as JSON, in bytes, so that attributes never crowd out the event. */
const LONGEST_ARRAY = 8_192;

/**
 * What subscriptions can filter on (event contract, "SNS message attributes"); absent where there is no value. It
 * holds nothing about people: attributes are not covered by the encryption of the topic.
 */
export function attributesOf(event: PanelEvent): Readonly<Record<string, Attribute>> {
  const { catalogue, panel, entity } = event.data;
  const change = event.type === 'gene-panel.entity.classified.v1' ? event.data.change : undefined;
  const values: Readonly<Record<string, Attribute | undefined>> = {
    type: stringOf(event.type),
    catalogue: stringOf(catalogue),
    panelId: panel ? { type: 'Number', value: String(panel.id) } : undefined,
    entityType: stringOf(entity?.type),
    entityName: stringOf(entity?.name),
    ratingFrom: stringOf(change?.from),
    ratingTo: stringOf(change?.to),
    direction: stringOf(change?.direction),
    panelTypes: arrayOf(panel?.types),
    relevantDisorders: arrayOf(panel?.relevantDisorders),
  };
  const given = Object.entries(values).flatMap(([name, attribute]) =>
    attribute ? [[name, attribute] as const] : [],
  );
  return Object.fromEntries(given);
}

function stringOf(text: string | null | undefined): Attribute | undefined {
  const value = cleaned(text ?? '');
  return value === '' ? undefined : { type: 'String', value };
}

function arrayOf(texts: readonly string[] = []): Attribute | undefined {
  const kept: string[] = [];
  let bytes = 2;
  for (const text of new Set(texts.map(cleaned))) {
    bytes += Buffer.byteLength(JSON.stringify(text)) + 1;
    if (bytes > LONGEST_ARRAY) break;
    if (text !== '') kept.push(text);
  }
  return kept.length === 0 ? undefined : { type: 'String.Array', value: JSON.stringify(kept) };
}

/** SNS refuses empty values; control characters, half characters and U+FFFE, U+FFFF survive no delivery to SQS. */
function cleaned(text: string): string {
  const spaced = text.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}\ufffe\uffff]+/gu, ' ');
  return cutText(spaced.trim(), LONGEST_VALUE).trim();
}
