import type { PanelEvent } from '../events/schemas.ts';
import { cleanLine } from './clean-text.ts';
import { eventWords } from './event-words.ts';
import { type Phrase, phrase } from './phrase.ts';

/** What an event adds to a change of the same entity: `mode of inheritance: BIALLELIC → MONOALLELIC`; of a comment, its text. */
export function contextPhrase(event: PanelEvent): Phrase {
  const { row, quote } = eventWords(event);
  if (quote === null) return row.words;
  const text = phrase`“${cleanLine(quote)}”`;
  return event.type === 'gene-panel.entity.commented.v1' ? text : phrase`${row.words}: ${text}`;
}
