import type { Rating } from '../events/changes.ts';
import { kindOf } from '../events/kinds.ts';
import type { EventPanel, PanelEvent } from '../events/schemas.ts';
import type { EntityChange, EntityStatus } from '../filters/entity-history.ts';
import { entitiesOfEvents, type PanelChanges } from '../filters/net-changes.ts';
import { backgroundLines } from './background-lines.ts';
import { type ChangeLine, entityColumns, eventColumns, knownColumns, placeColumns } from './change-csv.ts';
import { inheritanceOf } from './change-sorts.ts';
import { cleanLine } from './clean-text.ts';
import { contextPhrase, eventWords } from './event-words.ts';
import type { Background, MessageContext, SignedOffHolding } from './message-context.ts';
import type { Part, Row } from './notice.ts';
import { entityName, pageAddress, panelName, withoutEntity } from './panel-words.ts';
import {
  linkPiece,
  type Phrase,
  type Piece,
  phrase,
  phraseText,
  ratedWords,
  ratingPiece,
  separated,
} from './phrase.ts';
import {
  comparedSignOffs,
  isSignOff,
  signOffFileLines,
  signOffLines,
  signOffSentence,
  withoutCompleted,
} from './sign-off-words.ts';
import { signedOffWords } from './signed-off-words.ts';
import { inheritanceWords } from './value-words.ts';

/** Shows a panel and its changes. */
export interface PanelFormat {
  /** `Hearing loss (R67)`, `1.5 → 2.0`, and the page's address. */
  part(panel: PanelChanges, rows: readonly Row[]): Part;
  title(panel: PanelChanges): string;
  /** What was signed off of a panel, with what that changed; empty where nothing was. */
  signOffs(panel: PanelChanges): {
    readonly words: readonly string[];
    readonly lines: readonly Phrase[];
    /** For the file. */
    readonly cells: readonly ChangeLine[];
  };
  /** The row of an entity, with what else changed of it and what is known of it. */
  row(panel: PanelChanges, change: EntityChange): Row;
  inheritanceRow(change: InheritanceChange): Row;
  /** The row of an event that corrects another: what is true, and what was reported before. */
  correctionRow(event: PanelEvent): Row;
  correctionCells(event: PanelEvent): ChangeLine;
  /** The cells of an entity in the file. */
  cells(panel: PanelChanges, change: EntityChange): ChangeLine;
  inheritanceCells(change: InheritanceChange): ChangeLine;
}

/** How panels are shown, with what net changes leave out: codes, the version at the beginning, the page for people. */
export function panelFormat(
  events: readonly PanelEvent[],
  entities: DigestEntities,
  context: MessageContext,
): PanelFormat {
  const { times, namesCatalogue } = context;
  const said = new Set<string>();
  /** What the signed-off version says of an entity that turned green or is green no longer; of an unknown one, once a panel. */
  const signedOffLine = (
    { catalogue, id }: PanelChanges,
    change: EntityChange,
    holding: SignedOffHolding | undefined,
  ): readonly Phrase[] => {
    const panel = last.get(keyOf({ catalogue, id }))?.data.panel;
    const isGreen = change.from !== change.to && [change.from, change.to].includes('green');
    if (!panel || !isGreen) return [];
    const words = signedOffWords({ panel, change, holding });
    if (words === '' || (said.has(`${catalogue} ${id}`) && !holding && panel.signedOffVersion === undefined))
      return [];
    said.add(`${catalogue} ${id}`);
    return [phrase`${words}`];
  };
  const backgroundOf = (event: PanelEvent | undefined): Background | undefined =>
    event && context.background?.(event.id);
  const first = new Map<string, EventPanel>();
  const last = new Map<string, PanelEvent>();
  for (const event of events) {
    const { catalogue, panel } = event.data;
    if (!panel) continue;
    const key = `${catalogue} ${panel.id}`;
    if (!first.has(key)) first.set(key, panel);
    last.set(key, event);
  }
  const keyOf = ({ catalogue, id }: Pick<PanelChanges, 'catalogue' | 'id'>): string => `${catalogue} ${id}`;
  const title = (panel: PanelChanges): string => {
    const newest = last.get(keyOf(panel))?.data.panel;
    const { name, codes } = panelName(newest ? { ...newest, name: panel.name } : null);
    return `${name}${codes}${namesCatalogue ? `, catalogue ${cleanLine(panel.catalogue)}` : ''}`;
  };
  const signOffs = Map.groupBy(events.filter(isSignOff), ({ data }) => `${data.catalogue} ${data.panel.id}`);
  return {
    title,
    signOffs: (panel) => {
      const own = withoutCompleted(signOffs.get(keyOf(panel)) ?? []).filter(isSignOff);
      const compared = comparedSignOffs(own, context);
      return {
        words: own.map((event) =>
          phraseText(signOffSentence(event, context.now)).replace(/^\w/, (first) => first.toLowerCase()),
        ),
        lines: signOffLines(compared),
        cells: signOffFileLines(compared),
      };
    },
    part: (panel, rows) => {
      const event = last.get(keyOf(panel));
      const address = event ? pageAddress(withoutEntity(event)) : null;
      const heading = title(panel);
      const before = first.get(keyOf(panel))?.version ?? null;
      const { version } = panel;
      const note =
        version === null ? '' : before === null || before === version ? version : `${before} → ${version}`;
      return {
        heading: address === null ? phrase`${heading}` : [linkPiece(heading, address)],
        rows,
        ...(note && { note: phrase`${cleanLine(note)}` }),
      };
    },
    row: (panel, change) => {
      const row = entityChangeRow(change, times.shortDay(change.at));
      const event = entities.stateEvent(panel, change);
      const background = backgroundSince(change, backgroundOf(event));
      const more = [
        ...entities.beside(panel, change),
        ...backgroundLines(background, context),
        ...signedOffLine(panel, change, background?.signedOff),
      ];
      const address = event ? pageAddress(withEntity(event, change.entity)) : null;
      return { ...row, ...(more.length > 0 && { more }), ...(address !== null && { address }) };
    },
    inheritanceRow: ({ event, from, to }) => {
      const { rating, ...background } = backgroundOf(event) ?? {};
      const more = backgroundLines(background, context);
      const address = pageAddress(event);
      const day = event.time === undefined ? '' : times.shortDay(event.time);
      return {
        name: entityName(event.data.entity),
        words: phrase`mode of inheritance: ${from === null ? 'now ' : `${inheritanceWords(from)} → `}${to === null ? 'changed' : inheritanceWords(to)}`,
        note: separated([rating === undefined ? [] : [ratingPiece(rating)], phrase`${day}`], ' · '),
        ...(more.length > 0 && { more }),
        ...(address !== null && { address }),
      };
    },
    correctionRow: (event) => {
      const { row } = eventWords(event);
      const day = event.time === undefined ? '' : times.shortDay(event.time);
      const address = pageAddress(event);
      return { ...row, note: phrase`${day}`, ...(address !== null && { address }) };
    },
    correctionCells: (event) => ({
      ...placeColumns(event.data.panel, event.data.catalogue),
      ...eventColumns([event], times.isoDay),
      details: phraseText(eventWords(event).row.words),
    }),
    cells: (panel, change) => {
      const event = entities.stateEvent(panel, change);
      const newest = last.get(keyOf(panel))?.data.panel ?? null;
      return {
        ...placeColumns(newest && { ...newest, name: panel.name, version: panel.version }, panel.catalogue),
        ...entityColumns(change, times.isoDay),
        ...knownColumns(backgroundOf(event)),
      };
    },
    inheritanceCells: ({ event, to }) => ({
      ...placeColumns(event.data.panel, event.data.catalogue),
      ...eventColumns([event], times.isoDay),
      ...knownColumns(backgroundOf(event)),
      details: phraseText(contextPhrase(event)),
      ...(to !== null && { inheritance: cleanLine(to) }),
    }),
  };
}

/** The background of an entity's last change; its rating before is that of the period where one change made all. */
function backgroundSince(change: EntityChange, background: Background | undefined): Background | undefined {
  if (background?.before?.rating === change.from) return background;
  const { before: _before, ...others } = background ?? {};
  return others;
}

const withEntity = (event: PanelEvent, entity: EntityChange['entity']): PanelEvent =>
  ({ ...event, data: { ...event.data, entity } }) as PanelEvent;

type PanelPlace = Pick<PanelChanges, 'catalogue' | 'id'>;

/** A change of the mode of inheritance within a period, of an entity whose rating the period did not change. */
export interface InheritanceChange {
  readonly panel: PanelPlace;
  readonly from: string | null;
  readonly to: string | null;
  /** The last event of it. */
  readonly event: PanelEvent;
}

/** The events of a period by the entities that they are about, under the names that these have in the end. */
export interface DigestEntities {
  /** The last event that states or changes the rating of an entity, or its place on the panel. */
  stateEvent(panel: PanelPlace, change: EntityChange): PanelEvent | undefined;
  /** What else the period changed of an entity, oldest first. What it returns counts as shown. */
  beside(panel: PanelPlace, change: EntityChange): readonly Phrase[];
  /** Changes of inheritance of entities that were not asked for by `beside`. They count as shown. */
  inheritance(): readonly InheritanceChange[];
  /** Events that correct others, of entities and of panels. They count as shown. */
  corrections(): readonly PanelEvent[];
  /** Whether an event was shown. */
  wasShown(event: PanelEvent): boolean;
}

/** The most lines below one entity; further events are counted. */
const MOST_LINES = 6;

const stateKinds: ReadonlySet<string> = new Set([
  'entity.classified',
  'entity.added',
  'entity.removed',
  'entity.renamed',
]);

/**
 * @param events oldest first
 * @param unasked ids of those that the reader did not ask for, which others need to be true
 */
export function digestEntities(
  events: readonly PanelEvent[],
  unasked: ReadonlySet<string> = new Set(),
): DigestEntities {
  const entityOf = entitiesOfEvents(events);
  const byEntity = new Map<string, PanelEvent[]>();
  for (const event of events) {
    const entity = entityOf(event);
    const { catalogue, panel } = event.data;
    if (!entity || typeof panel?.id !== 'number') continue;
    const key = keyOf({ catalogue, id: panel.id }, entity.now());
    const own = byEntity.get(key);
    if (own) own.push(event);
    else byEntity.set(key, [event]);
  }
  const allShown = new Set<PanelEvent>();
  const asked = new Set<string>();

  return {
    stateEvent: (panel, { entity }) =>
      byEntity.get(keyOf(panel, entity))?.findLast(({ type }) => stateKinds.has(kindOf(type) ?? '')),
    beside(panel, { entity }) {
      const key = keyOf(panel, entity);
      asked.add(key);
      const others = (byEntity.get(key) ?? []).filter(({ type }) => !stateKinds.has(kindOf(type) ?? ''));
      const shown = others.slice(-MOST_LINES);
      for (const event of shown) allShown.add(event);
      const lines = new Map(shown.map(contextPhrase).map((words) => [phraseText(words), words]));
      return [...lines.values()];
    },
    inheritance: () =>
      [...byEntity].flatMap(([key, own]): readonly InheritanceChange[] => {
        const changes = own.flatMap((event) => inheritanceOf(event) ?? []);
        const event = own.findLast((each) => inheritanceOf(each) !== undefined);
        const [first] = changes;
        const last = changes.at(-1);
        if (asked.has(key) || !event || !first || !last) return [];
        const [from, to] = [textOf(first.from), textOf(last.to)];
        if (from !== null && from === to) return [];
        for (const each of own) if (inheritanceOf(each)) allShown.add(each);
        const { catalogue, panel } = event.data;
        return [{ panel: { catalogue, id: panel?.id ?? 0 }, from, to, event }];
      }),
    corrections() {
      const corrections = events.filter(({ id, data }) => data.corrects !== undefined && !unasked.has(id));
      for (const event of corrections) allShown.add(event);
      return corrections;
    },
    wasShown: (event) => allShown.has(event),
  };
}

const keyOf = ({ catalogue, id }: PanelPlace, { type, name }: EntityChange['entity']): string =>
  `${catalogue} ${id} ${type} ${name.toUpperCase()}`;

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/**
 * The row of an entity's net change: `amber → green`, with what lay between.
 * @param at the day of the change, in words
 */
function entityChangeRow(change: EntityChange, at: string): Row {
  const { from, to, steps } = change;
  const name = entityName(change.entity);
  const isBack = from === to;
  const ends = new Set([from, to].map(statusText));
  const between = new Map(steps.slice(1, -1).map((step) => [statusText(step), statusPiece(step)]));
  const passed = [...between]
    .filter(([text]) => !ends.has(text) && text !== 'unknown')
    .map(([, piece]) => piece);
  const words = isBack ? backWords(change) : changeWords(change);
  const via = isBack || passed.length === 0 ? [] : phrase`(${listed(passed)} in between)`;
  const note = separated([phrase`${at}`, via], '  ');
  // Under "Added", a row need not say so again.
  return words === null ? { name, words: note } : { name, words, note };
}

/** `red, amber and green`. */
const listed = (pieces: readonly Piece[]): Phrase =>
  pieces.length < 2
    ? pieces
    : phrase`${separated(
        pieces.slice(0, -1).map((piece) => [piece]),
        ', ',
      )} and ${pieces.slice(-1)}`;

/** Null where the title of the group says as much. */
function changeWords({ from, to }: EntityChange): Phrase | null {
  if (to === 'absent') return isRating(from) ? phrase`removed, was ${ratingPiece(from)}` : null;
  if (from === 'absent') return isRating(to) ? phrase`added as ${ratingPiece(to)}` : null;
  if (!isRating(from))
    return phrase`${isRating(to) ? ratedWords(to) : 'rated unknown'} (earlier rating unknown)`;
  return phrase`${ratingPiece(from)} → ${statusPiece(to)}`;
}

const backWords = ({ from, steps }: EntityChange): Phrase =>
  from === 'absent'
    ? phrase`added and removed again`
    : separated(
        steps.map((step) => [statusPiece(step)]),
        ' → ',
      );

const isRating = (state: EntityStatus): state is Rating =>
  state === 'green' || state === 'amber' || state === 'red' || state === 'none';
const statusPiece = (state: EntityStatus): Piece =>
  isRating(state)
    ? ratingPiece(state)
    : { kind: 'text', text: state === 'absent' ? 'not on the panel' : 'unknown' };
const statusText = (state: EntityStatus): string => phraseText([statusPiece(state)]);
