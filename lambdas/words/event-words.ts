import type { EventKindName } from '../events/changes.ts';
import { firstStated } from '../events/corrections.ts';
import { type EventPanel, kindOf, type PanelEvent } from '../events/schemas.ts';
import { cleanLine } from './clean-text.ts';
import type { DescribedEvent, EventWords, Subject, WordsOf } from './described-event.ts';
import { entityEventWords } from './entity-event-words.ts';
import { entityName } from './entity-name.ts';
import { panelEventWords } from './panel-event-words.ts';
import { panelPhrase } from './panel-words.ts';
import { type Phrase, phrase } from './phrase.ts';

const words: WordsOf<EventKindName> = { ...entityEventWords, ...panelEventWords };

/**
 * The words of an event; a type that is unknown here gets those of its summary. A correction says what was reported before: its reader
 * may have acted on it.
 */
export function eventWords(event: PanelEvent): EventWords {
  const words = wordsOf(event);
  const first = firstStated(event);
  if (first === null) return words;
  const { headline, row } = words;
  const before = phrase`correction; reported before: ${wordsOf(first).row.words}`;
  return {
    ...words,
    headline: phrase`Correction: ${headline}`,
    row: { ...row, words: phrase`${row.words} (${before})` },
  };
}

function wordsOf(event: PanelEvent): EventWords {
  const { panel, entity } = event.data;
  const kind = kindOf(event.type);
  if (kind === undefined) {
    return plain(cleanLine((event as PanelEvent).data.summary), event);
  }
  const describe = words[kind] as (change: unknown, subject: Subject) => DescribedEvent;
  const subject = { panel, entity, name: entityName(entity), on: onPanel(panel) };
  return { tone: 'plain', facts: [], quote: null, onceAdded: null, ...describe(event.data.change, subject) };
}

function plain(sentence: string, { data }: PanelEvent): EventWords {
  const row = { name: entityName(data.entity), words: phrase`${sentence}` };
  const headline = phrase`${sentence.endsWith('.') ? sentence.slice(0, -1) : sentence}`;
  return { headline, row, onceAdded: null, tone: 'plain', verb: 'Made', facts: [], quote: null };
}

const onPanel =
  (panel: EventPanel | null) =>
  (start: Phrase, preposition = 'on', end: Phrase = []): Phrase =>
    phrase`${start} ${preposition} ${panelPhrase(panel)}${end}`;
