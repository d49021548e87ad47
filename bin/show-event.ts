import { styleText } from 'node:util';
import { eventKinds, type Rating } from '../lambdas/events/changes.ts';
import { kindOf, type PanelEvent } from '../lambdas/events/schemas.ts';
import { fitted, printable, type Terminal, widthOf, wrapped } from './terminal-text.ts';

type Style = Parameters<typeof styleText>[0];

/** A piece of a line; it is coloured only once it has been cut to fit. */
interface Piece {
  readonly text: string;
  readonly style?: Style;
}

const ratingStyles: Readonly<Record<Rating, Style>> = {
  green: 'green',
  amber: 'yellow',
  red: 'red',
  none: 'gray',
};

/** Width of the longest text between the time and the name of the entity. */
const BADGE_WIDTH = 'not signed off'.length;
const gap: Piece = { text: '  ' };

/**
 * An event for a person: when, what kind of change (ratings in their colours), entity, panel with its version,
 * family, summary. On a terminal the summary has lines of its own; in a file an event is one line. Text that people
 * typed into the catalogue cannot move the cursor or change colours.
 */
export function formatEvent(event: PanelEvent, terminal: Terminal): string {
  const head = headOf(event);
  const summary = printable(event.data.summary);
  if (terminal.width === undefined) return line([...head, gap, { text: summary }], terminal);
  const lines = wrapped(summary, Math.max(1, terminal.width - gap.text.length));
  return [head, ...lines.map((text) => [gap, { text }])].map((pieces) => line(pieces, terminal)).join('\n');
}

function headOf(event: PanelEvent): readonly Piece[] {
  const { entity, panel, late } = event.data;
  const kind = kindOf(event.type);
  const badge = badgeOf(event);
  const padding = { text: ' '.repeat(Math.max(0, BADGE_WIDTH - columnsOf(badge))) };
  const parts: Piece[] = [{ text: printable(`${panel?.name ?? ''} ${panel?.version ?? ''}`) }];
  if (entity) parts.unshift({ text: printable(`${labels[entity.type]}${entity.name}`), style: 'bold' });
  if (kind) parts.push({ text: eventKinds[kind].topic, style: 'dim' });
  if (late) parts.push({ text: 'late', style: 'yellow' });
  const shown = parts.filter(({ text }) => text !== '').flatMap((part) => [gap, part]);
  return [{ text: timeOf(event.time), style: 'dim' }, gap, ...badge, padding, ...shown];
}

const labels = { gene: '', str: 'STR ', region: 'region ' } as const;

/** `2023-11-17 15:54Z`: UTC, as events have it. */
function timeOf(time = ''): string {
  const minute = printable(time).slice(0, 16).replace('T', ' ');
  return (minute && `${minute}Z`).padEnd(17);
}

function badgeOf(event: PanelEvent): readonly Piece[] {
  switch (event.type) {
    case 'gene-panel.entity.classified.v1': {
      const { from, to, direction } = event.data.change;
      if (direction === 'new') return [{ text: 'new ' }, ratingOf(to)];
      if (direction === 'unchanged') return [{ text: 'still ' }, ratingOf(to)];
      return [ratingOf(from), { text: ' → ' }, ratingOf(to)];
    }
    case 'gene-panel.entity.added.v1': {
      const { rating } = event.data.change;
      return rating ? [{ text: 'added ' }, ratingOf(rating)] : [{ text: 'added' }];
    }
    case 'gene-panel.panel.promoted.v1':
      return [{ text: 'promoted', style: 'bold' }];
    case 'gene-panel.panel.signed-off.v1':
      return [{ text: event.data.change.signedOff ? 'signed off' : 'not signed off', style: 'bold' }];
    case 'gene-panel.activity.unclassified.v1':
      return [{ text: 'unclassified', style: 'magenta' }];
    default:
      return [{ text: lastWords(kindOf(event.type) ?? '') }];
  }
}

function ratingOf(rating: Rating | null): Piece {
  if (rating === null) return { text: '?' };
  return { text: rating === 'none' ? 'unrated' : rating, style: ratingStyles[rating] };
}

/** `tags changed` from `entity.tags-changed`. */
function lastWords(kind: string): string {
  return kind.slice(kind.indexOf('.') + 1).replaceAll('-', ' ');
}

function columnsOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { text }) => sum + widthOf(text), 0);
}

function line(pieces: readonly Piece[], { colours, width = Number.POSITIVE_INFINITY }: Terminal): string {
  let left = width;
  let shown = '';
  for (const { text, style } of pieces) {
    if (left < 1) break;
    const part = fitted(text, left);
    left -= widthOf(text);
    shown += style && colours ? styleText(style, part, { validateStream: false }) : part;
  }
  return shown.trimEnd();
}
