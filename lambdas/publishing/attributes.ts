import { type AttributeName, type MessageAttribute, messageAttributes } from '../events/attributes.ts';
import type { PanelEvent } from '../events/schemas.ts';
import { cutText } from './cut-text.ts';

/** One SNS message attribute; subscriptions filter on them. */
export interface Attribute {
  readonly type: MessageAttribute['type'];
  readonly value: string;
}

/** The longest single value, in UTF-16 units; names in the catalogue are far shorter. */
const LONGEST_VALUE = 256;
/** The longest array as JSON, in bytes, so that attributes never crowd out the event. */
const LONGEST_ARRAY = 8_192;
/** Nearly every value: nothing in it is to be cleaned. */
const ordinary = /^[!-~]+(?: [!-~]+)*$/;

/**
 * What subscriptions can filter on (event contract, "SNS message attributes"); absent where there is no value. It
 * holds nothing about people: attributes are not covered by the encryption of the topic.
 */
export function attributesOf(event: PanelEvent): Readonly<Record<string, Attribute>> {
  const { catalogue, panel, entity } = event.data;
  const attributes: Record<string, Attribute> = {};
  const give = (name: AttributeName, value: string | null): void => {
    if (value) attributes[name] = { type: messageAttributes[name].type, value };
  };
  give('type', event.type);
  give('catalogue', cleaned(catalogue));
  if (typeof panel?.id === 'number') give('panelId', String(panel.id));
  if (entity) {
    give('entityType', entity.type);
    give('entityName', cleaned(entity.name));
  }
  if (event.type === 'gene-panel.entity.classified.v1') {
    const { from, to, direction } = event.data.change;
    give('ratingFrom', from);
    give('ratingTo', to);
    give('direction', direction);
  }
  give('panelTypes', arrayOf(panel?.types));
  give('relevantDisorders', arrayOf(panel?.relevantDisorders));
  return attributes;
}

/** As JSON; null without texts. */
function arrayOf(texts: readonly string[] = []): string | null {
  const kept: string[] = [];
  let bytes = 2;
  for (const text of new Set(texts.map(cleaned))) {
    bytes += Buffer.byteLength(JSON.stringify(text)) + 1;
    if (bytes > LONGEST_ARRAY) break;
    if (text !== '') kept.push(text);
  }
  return kept.length === 0 ? null : JSON.stringify(kept);
}

/** SNS refuses empty values; control characters, half characters and U+FFFE, U+FFFF survive no delivery to SQS. */
function cleaned(text: string): string {
  if (text.length <= LONGEST_VALUE && ordinary.test(text)) return text;
  const spaced = text.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}\ufffe\uffff]+/gu, ' ');
  return cutText(spaced.trim(), LONGEST_VALUE).trim();
}
