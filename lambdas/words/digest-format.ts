import type { EventPanel, PanelEvent } from '../events/schemas.ts';
import type { EntityChange } from '../filters/entity-history.ts';
import type { PanelChanges } from '../filters/net-changes.ts';
import { backgroundLines } from './background-lines.ts';
import { contextPhrase } from './beside-words.ts';
import { type ChangeLine, entityColumns, eventColumns, knownColumns, placeColumns } from './change-csv.ts';
import { cleanLine } from './clean-text.ts';
import type { DigestEntities, InheritanceChange } from './digest-entities.ts';
import { entityChangeRow } from './entity-change-row.ts';
import { entityName } from './entity-name.ts';
import { eventWords } from './event-words.ts';
import type { Background, MessageContext, SignedOffHolding } from './message-context.ts';
import type { Part, Row } from './notice.ts';
import { pageAddress, withoutEntity } from './page-address.ts';
import { panelName } from './panel-words.ts';
import { linkPiece, type Phrase, phrase, phraseText, ratingPiece, separated } from './phrase.ts';
import { signOffFileLines, signOffLines } from './sign-off-blocks.ts';
import { comparedSignOffs, isSignOff, withoutCompleted } from './sign-off-lists.ts';
import { signOffSentence } from './sign-off-words.ts';
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
