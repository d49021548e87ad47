import { enumerate } from '../events/enumerate.ts';
import type { PanelEvent } from '../events/schemas.ts';
import type { ChangeSort } from './change-sorts.ts';
import { cleanLine } from './clean-text.ts';
import { rankOf } from './entity-events.ts';
import { eventWords } from './event-words.ts';
import { panelEvents } from './panel-events.ts';
import { panelPhrase } from './panel-words.ts';
import { type Phrase, phrase, phraseText } from './phrase.ts';

/** The events of one sort, oldest first. */
export interface SortedEvents {
  readonly sort: ChangeSort;
  readonly events: readonly PanelEvent[];
}

/** The headline of a message about several events of one panel, which it shows by sort. */
export function panelHeadline(events: readonly PanelEvent[], sorted: readonly SortedEvents[]): Phrase {
  return headlineOfOne(events) ?? headlineOfSeveral(events, sorted);
}

/** The headline of the most important of several changes of one entity; null for changes of several. */
function headlineOfOne(events: readonly PanelEvent[]): Phrase | null {
  const subjects = new Set(events.map(({ subject, data }) => (data.entity === null ? null : subject)));
  const [first, ...others] = [...events].sort((one, other) => rankOf(one) - rankOf(other));
  if (!first || subjects.size !== 1 || subjects.has(null)) return null;
  const more = `${others.length} more ${others.length === 1 ? 'change' : 'changes'}`;
  return phrase`${eventWords(first).headline}, and ${more}`;
}

function headlineOfSeveral(events: readonly PanelEvent[], sorted: readonly SortedEvents[]): Phrase {
  const panel = panelPhrase(events.at(-1)?.data.panel ?? null);
  const [only, ...others] = sorted;
  const own = panelEvents(events);
  if (only?.sort.verdict !== undefined && others.length === 0 && own.length === 0) {
    const names = namesIn(only.events);
    const verb = only.sort.hasOwnVerb ? '' : names.size === 1 ? 'is ' : 'are ';
    const start = `${subjectOf(names, events)} ${verb}${only.sort.verdict}`;
    const unknown = only.sort.isOfUnknownRating
      ? ` (earlier ${names.size === 1 ? 'rating' : 'ratings'} unknown)`
      : '';
    return phrase`${start} on ${panel}${unknown}`;
  }
  const ratings = sorted.flatMap(({ sort, events: each }) =>
    sort.verdict === undefined
      ? []
      : [
          `${subjectOf(namesIn(each), events)} ${sort.verdict}${sort.isOfUnknownRating ? ' (earlier rating unknown)' : ''}`,
        ],
  );
  const ofPanel = own.map(panelChange);
  // A semicolon separates the panel's own changes: "CNGB3 no longer green and promoted" would promote CNGB3.
  const changes =
    [ratings.join(', '), enumerate(ofPanel.slice(0, 3 - ratings.length))].filter(Boolean).join('; ') ||
    countsOf(sorted);
  return phrase`${String(events.length)} changes on ${panel}${changes === '' ? '' : `: ${changes}`}`;
}

const namesIn = (events: readonly PanelEvent[]): ReadonlySet<string> =>
  new Set(events.map((event) => eventWords(event).row.name));

/** The one name, or the number of several. */
const subjectOf = (names: ReadonlySet<string>, events: readonly PanelEvent[]): string =>
  names.size === 1 ? [...names].join('') : `${names.size} ${nounOf(events)}`;

/** `2 other ratings, 1 added`. */
function countsOf(sorted: readonly SortedEvents[]): string {
  const counts = sorted.slice(0, 3).map(({ sort: { counted }, events: { length } }) => {
    const [one, several] = counted;
    return `${length} ${length === 1 ? one : several}`;
  });
  return counts.join(', ');
}

const panelChange = (event: PanelEvent): string =>
  event.type === 'gene-panel.panel.promoted.v1'
    ? `promoted to ${cleanLine(event.data.change.version)}`
    : phraseText(eventWords(event).row.words);

const nounOf = (events: readonly PanelEvent[]): string =>
  events.every(({ data }) => data.entity === null || data.entity.type === 'gene') ? 'genes' : 'entries';
