import { enumerate } from '../events/enumerate.ts';
import type { PanelEvent } from '../events/schemas.ts';
import { changeSorts, sortOf } from './change-sorts.ts';
import { cleanLine } from './clean-text.ts';
import { type EventWords, eventWords } from './event-words.ts';
import type { GroupBlock, Headline } from './notice.ts';
import { panelEvents } from './panel-events.ts';
import { panelName } from './panel-words.ts';

/** The headline of a message about several events of one panel, with the groups that it shows. */
export function panelHeadline(events: readonly PanelEvent[], groups: readonly GroupBlock[]): Headline {
  return headlineOfOne(events) ?? headlineOfSeveral(events, groups);
}

/** The headline of the most important of several changes of one entity; null for changes of several. */
function headlineOfOne(events: readonly PanelEvent[]): Headline | null {
  const subjects = new Set(events.map(({ subject, data }) => (data.entity === null ? null : subject)));
  const [first, ...others] = [...events].sort((one, other) => rankOf(one) - rankOf(other));
  if (!first || subjects.size !== 1 || subjects.has(null)) return null;
  const { start, name, end } = eventWords(first).headline;
  return {
    start,
    name,
    end: `${end}, and ${others.length} more ${others.length === 1 ? 'change' : 'changes'}`,
  };
}

function rankOf(event: PanelEvent): number {
  const sort = sortOf(event);
  return sort === undefined ? changeSorts.length : changeSorts.indexOf(sort);
}

function headlineOfSeveral(events: readonly PanelEvent[], groups: readonly GroupBlock[]): Headline {
  const panel = events.at(-1)?.data.panel ?? null;
  const { name, codes } = panelName(panel);
  const ratings = groups.flatMap(({ title, parts }) => {
    const names = [...new Set(parts.flatMap(({ rows }) => rows).map((row) => row.name))];
    const counted = names.length === 1 ? (names[0] ?? '') : `${names.length} ${nounOf(events)}`;
    return title === 'Now green' || title === 'No longer green' ? [`${counted} ${title.toLowerCase()}`] : [];
  });
  const ofPanel = panelEvents(events).map((event) => panelPhrase(eventWords(event), event));
  const [only] = groups;
  const noPanelEvents = panelEvents(events).length === 0;
  if (only && groups.length === 1 && noPanelEvents && ratings.length === 1) {
    const names = new Set(only.parts.flatMap(({ rows }) => rows).map((row) => row.name));
    const subject = names.size === 1 ? [...names].join('') : `${names.size} ${nounOf(events)}`;
    const verb = names.size === 1 ? 'is' : 'are';
    const end = `${codes}${earlierUnknown(events, names.size)}`;
    return { start: `${subject} ${verb} ${only.title.toLowerCase()} on `, name, end };
  }
  const count = `${events.length} changes on `;
  // A semicolon separates the panel's own changes: "CNGB3 no longer green and promoted" would promote CNGB3.
  const changes =
    [ratings.join(', '), enumerate(ofPanel.slice(0, 3 - ratings.length))].filter(Boolean).join('; ') ||
    countsOf(groups);
  const end = changes === '' ? codes : `${codes}: ${changes}`;
  return { start: count, name, end };
}

/** Of how many of the entities the earlier rating is unknown, so that they may have been green before. */
function earlierUnknown(events: readonly PanelEvent[], entities: number): string {
  const unknown = new Set(events.filter(isOfUnknownRating).map(({ subject }) => subject)).size;
  if (unknown === 0) return '';
  return unknown >= entities ? ' (earlier ratings unknown)' : ` (earlier rating of ${unknown} unknown)`;
}

const isOfUnknownRating = (event: PanelEvent): boolean =>
  event.type === 'gene-panel.entity.classified.v1' && event.data.change.direction === 'unknown';

/** `2 other ratings, 1 added`. */
function countsOf(groups: readonly GroupBlock[]): string {
  const counts = groups.slice(0, 3).map(({ title, count }) => {
    const [one = '', several = ''] = changeSorts.find((sort) => sort.title === title)?.counted ?? [];
    return `${count} ${count === 1 ? one : several}`;
  });
  return counts.join(', ');
}

function panelPhrase({ row }: EventWords, event: PanelEvent): string {
  if (event.type === 'gene-panel.panel.promoted.v1')
    return `promoted to ${cleanLine(event.data.change.version)}`;
  return row.words;
}

const nounOf = (events: readonly PanelEvent[]): string =>
  events.every(({ data }) => data.entity === null || data.entity.type === 'gene') ? 'genes' : 'entries';
