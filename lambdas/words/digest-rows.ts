import { isDisagreement, kindOf } from '../events/kinds.ts';
import type { EventPanel, PanelEvent } from '../events/schemas.ts';
import { type EntityChange, type EntityStatus, inheritanceOf } from '../filters/entity-history.ts';
import { entitiesOfEvents, type NetChanges, type PanelChanges } from '../filters/net-changes.ts';
import {
  type ChangeLine,
  columnsOfEntity,
  knownColumns,
  type ListedChange,
  netColumns,
  placeColumns,
} from './change-csv.ts';
import { cleanLine } from './clean-text.ts';
import { contextPhrase, eventWords } from './event-words.ts';
import {
  type Background,
  backgroundLines,
  type MessageContext,
  type SignedOffHolding,
  signedOffWords,
} from './message-context.ts';
import { type Row, rowExtras } from './notice.ts';
import { entityName, pageAddress, panelName } from './panel-words.ts';
import {
  linkPiece,
  type Phrase,
  type Piece,
  phrase,
  phraseText,
  ratedWords,
  ratingPiece,
  separated,
  statusPiece,
} from './phrase.ts';
import {
  comparedSignOffs,
  isSignOff,
  signOffFileLines,
  signOffLines,
  signOffSentence,
  withoutCompleted,
} from './sign-off-words.ts';
import { inheritanceWords, type TimeWords } from './value-words.ts';

/** The most lines below one entity; further events are counted. */
const MOST_LINES = 6;

const stateKinds: ReadonlySet<string> = new Set([
  'entity.classified',
  'entity.added',
  'entity.removed',
  'entity.renamed',
]);
const statesState = ({ type }: PanelEvent): boolean => stateKinds.has(kindOf(type) ?? '');

const placeKey = ({ catalogue, id }: Pick<PanelChanges, 'catalogue' | 'id'>): string => `${catalogue} ${id}`;
const placeOf = ({ data: { catalogue, panel } }: PanelEvent): string =>
  placeKey({ catalogue, id: panel?.id ?? Number.NaN });
const entityKey = (place: string, { type, name }: EntityChange['entity']): string =>
  `${place} ${type} ${name.toUpperCase()}`;

interface RowsContext extends MessageContext {
  /** Ids of events that the reader did not ask for, which others need to be true. */
  readonly unasked?: ReadonlySet<string>;
}

/**
 * The rows of a digest, panel by panel, from its events and what these changed in the end.
 * @param events oldest first
 */
export function digestRows(events: readonly PanelEvent[], net: NetChanges, context: RowsContext) {
  const index = indexOf(events, net, context.unasked);
  return {
    panels: net.panels.map((panel) => panelRows(panel, index, context)),
    /** Whether a row or a line shows an event. */
    wasShown: (event: PanelEvent) => index.shown.has(event),
  };
}

/** The events of a digest by what they are about. */
function indexOf(events: readonly PanelEvent[], net: NetChanges, unasked?: ReadonlySet<string>) {
  const entityOf = entitiesOfEvents(events);
  const ofEntities = Map.groupBy(
    events.filter((event) => entityOf(event) && typeof event.data.panel?.id === 'number'),
    (event) => entityKey(placeOf(event), entityOf(event)?.now() ?? { type: 'gene', name: '' }),
  );
  const changed = new Set(
    net.panels.flatMap((panel) =>
      Object.values(panel.lists).flatMap((list) =>
        list.map(({ entity }) => entityKey(placeKey(panel), entity)),
      ),
    ),
  );
  const beside = (key: string): readonly PanelEvent[] =>
    (ofEntities.get(key) ?? [])
      .filter((event) => !statesState(event) && !isDisagreement(event))
      .slice(-MOST_LINES);
  const inherited = [...ofEntities].flatMap(([key, own]) => {
    const steps = own.filter((event) => inheritanceOf(event) !== null);
    const [first, last] = [steps[0], steps.at(-1)];
    if (changed.has(key) || !first || !last) return [];
    const [from, to] = [inheritanceOf(first)?.from ?? null, inheritanceOf(last)?.to ?? null];
    return from !== null && from === to ? [] : [{ steps, event: last, from, to }];
  });
  const corrected = events.filter(({ id, data }) => data.corrects !== undefined && !unasked?.has(id));
  const disagreed = [...ofEntities.values()].map((own) => own.filter(isDisagreement));
  return {
    ...{ ofEntities, beside, inherited, corrected },
    ofPanels: Map.groupBy(events, placeOf),
    /** Of each entity, the last event. */
    disagreements: disagreed.flatMap((own) => own.at(-1) ?? []),
    shown: new Set([
      ...[...changed].flatMap(beside),
      ...inherited.flatMap(({ steps }) => steps),
      ...disagreed.flat(),
      ...corrected,
    ]),
  };
}

/** What a digest shows of one panel. */
export type PanelRows = ReturnType<typeof panelRows>;

function panelRows(panel: PanelChanges, index: ReturnType<typeof indexOf>, context: RowsContext) {
  const { times, namesCatalogue } = context;
  const place = placeKey(panel);
  const own = index.ofPanels.get(place) ?? [];
  const newest = own.at(-1);
  const newestPanel = newest?.data.panel ?? null;
  const isHere = (event: PanelEvent): boolean => placeOf(event) === place;
  const backgroundOf = (event: PanelEvent | undefined): Background | undefined =>
    event && context.background?.(event.id);
  const lastState = ({ entity }: EntityChange): PanelEvent | undefined =>
    index.ofEntities.get(entityKey(place, entity))?.findLast(statesState);
  const { name, codes } = panelName(newestPanel && { ...newestPanel, name: panel.name });
  const title = `${name}${codes}${namesCatalogue ? `, catalogue ${cleanLine(panel.catalogue)}` : ''}`;
  const signOffs = withoutCompleted(own.filter(isSignOff)).filter(isSignOff);
  const compared = comparedSignOffs(signOffs, context);

  return {
    panel,
    /** `Hearing loss (R67)`. */
    title,
    /** The title with the page's address, `1.5 → 2.0`, and what is unknown of all of these changes. */
    heading(changes: readonly EntityChange[]) {
      const address = newest ? pageAddress(newest, null) : null;
      const { version } = panel;
      const before = own[0]?.data.panel?.version ?? version;
      const versions = version === null ? '' : before === version ? version : `${before} → ${version}`;
      const vague = vagueSignOff(
        newestPanel,
        changes,
        (change) => backgroundOf(lastState(change))?.signedOff,
      );
      const note = [versions, vague].filter(Boolean).join('; ');
      return {
        heading: address === null ? phrase`${title}` : [linkPiece(title, address)],
        ...(note && { note: phrase`${cleanLine(note)}` }),
      };
    },
    /** The change of an entity, with what else changed of it and what is known of it. */
    change(change: EntityChange): ListedChange {
      const event = lastState(change);
      const background = backgroundOf(event);
      const { before, ...others } = background ?? {};
      // The rating before is that of the period where one change made all.
      const known = before?.rating === change.from ? background : others;
      const beside = index.beside(entityKey(place, change.entity)).map(contextPhrase);
      const more = [
        ...new Map(beside.map((words) => [phraseText(words), words])).values(),
        ...backgroundLines(known, context),
        ...signedOffLine(newestPanel, change, background?.signedOff),
      ];
      return {
        row: {
          ...entityChangeRow(change, times.shortDay(change.at)),
          ...rowExtras(more, event ? pageAddress(event, change.entity) : null),
        },
        cells: {
          ...placeColumns(
            newestPanel && { ...newestPanel, name: panel.name, version: panel.version },
            panel.catalogue,
          ),
          ...netColumns(change, times.isoDay),
          ...knownColumns(background),
        },
      };
    },
    /** Changes of the mode of inheritance, of entities without a change of rating or place. */
    inheritance: index.inherited
      .filter(({ event }) => isHere(event))
      .map((change) => changeOfInheritance(change, backgroundOf(change.event), context)),
    /** Events that correct others: what is true, and what was reported before. Who acted on the false event must see it. */
    corrections: index.corrected.filter(isHere).map((event) => {
      const { row } = eventWords(event);
      return changeOfEvent(event, times, { row, cells: { details: phraseText(row.words) } });
    }),
    /** What catalogues disagree about in the end, and what they agree about again. */
    disagreements: index.disagreements.filter(isHere).map((event) => {
      const { row, facts } = eventWords(event);
      const more = facts.map(({ label, value }) => phrase`${label}: ${value}`);
      const details = [row.words, ...more].map(phraseText).join('; ');
      return changeOfEvent(event, times, { row, more, cells: { details } });
    }),
    /** What was signed off, with what that changed, and the lines of the file about it; empty where nothing was. */
    signOffs: {
      words: signOffs.map((event) =>
        phraseText(signOffSentence(event, context.now)).replace(/^\w/, (first) => first.toLowerCase()),
      ),
      more: signOffLines(compared),
      cells: signOffFileLines(compared),
    },
  };
}

/** What a list shows of one event, besides its day and the columns of its entity. */
interface EventChange {
  readonly row: Row;
  readonly more?: readonly Phrase[];
  readonly cells: ChangeLine;
}

function changeOfInheritance(
  { event, from, to }: ReturnType<typeof indexOf>['inherited'][number],
  { rating, ...background }: Background = {},
  context: RowsContext,
): ListedChange {
  const { times } = context;
  const start = from === null ? 'now ' : `${inheritanceWords(from)} → `;
  const note = [rating === undefined ? [] : [ratingPiece(rating)], phrase`${dayOf(event, times)}`];
  return changeOfEvent(event, times, {
    row: {
      name: entityName(event.data.entity),
      words: phrase`mode of inheritance: ${start}${to === null ? 'changed' : inheritanceWords(to)}`,
      note: separated(note, ' · '),
    },
    more: backgroundLines(background, context),
    cells: {
      ...knownColumns(background),
      details: phraseText(contextPhrase(event)),
      ...(to !== null && { inheritance: cleanLine(to) }),
    },
  });
}

const changeOfEvent = (
  event: PanelEvent,
  times: TimeWords,
  { row, more = [], cells }: EventChange,
): ListedChange => ({
  row: { note: phrase`${dayOf(event, times)}`, ...row, ...rowExtras(more, pageAddress(event)) },
  cells: {
    ...placeColumns(event.data.panel, event.data.catalogue),
    ...columnsOfEntity([event], times.isoDay),
    ...cells,
  },
});

const dayOf = ({ time }: PanelEvent, times: TimeWords): string =>
  time === undefined ? '' : times.shortDay(time);

/** What the signed-off version says of an entity that turned green or is green no longer. */
function signedOffLine(
  panel: EventPanel | null,
  change: EntityChange,
  holding: SignedOffHolding | undefined,
): readonly Phrase[] {
  if (!panel || !turnsGreenOrNot(change) || isVague(panel, holding)) return [];
  const words = signedOffWords({ panel, change, holding });
  return words === '' ? [] : [phrase`${words}`];
}

/** That the signed-off version of a panel is unknown, which is so for each of its changes. */
function vagueSignOff(
  panel: EventPanel | null,
  changes: readonly EntityChange[],
  holdingOf: (change: EntityChange) => SignedOffHolding | undefined,
): string {
  if (!panel?.signedOff || !changes.some(turnsGreenOrNot)) return '';
  return changes.some((change) => isVague(panel, holdingOf(change)))
    ? 'has a signed-off version, which may not hold these changes'
    : '';
}

const turnsGreenOrNot = ({ from, to }: EntityChange): boolean => from !== to && [from, to].includes('green');

/** Whether nothing but that a version is signed off is known. */
const isVague = (panel: EventPanel, holding: SignedOffHolding | undefined): boolean =>
  !holding && panel.signedOffVersion === undefined;

/**
 * The row of an entity's net change: `amber → green`, with what lay between.
 * @param at the day of the change, in words
 */
function entityChangeRow({ entity, from, to, steps }: EntityChange, at: string): Row {
  const name = entityName(entity);
  const passed = [...new Set(steps.slice(1, -1))].filter(
    (step) => step !== from && step !== to && step !== 'unknown',
  );
  const via =
    from === to || passed.length === 0 ? [] : phrase`(${listed(passed.map(statusPiece))} in between)`;
  const note = separated([phrase`${at}`, via], '  ');
  const words = from === to ? backWords(from, steps) : changeWords(from, to);
  // Under "Added", a row need not say so again.
  return words === null ? { name, words: note } : { name, words, note };
}

/** `red, amber and green`. */
const listed = (pieces: readonly Piece[]): Phrase => {
  const each = pieces.map((piece) => [piece]);
  return separated([separated(each.slice(0, -1), ', '), ...each.slice(-1)], ' and ');
};

/** Null where the title of the group says as much. */
function changeWords(from: EntityStatus, to: EntityStatus): Phrase | null {
  if (to === 'absent') return from === 'unknown' ? null : phrase`removed, was ${statusPiece(from)}`;
  if (from === 'absent') return to === 'unknown' ? null : phrase`added as ${statusPiece(to)}`;
  if (from === 'unknown')
    return phrase`${to === 'unknown' ? 'rated unknown' : ratedWords(to)} (earlier rating unknown)`;
  return phrase`${statusPiece(from)} → ${statusPiece(to)}`;
}

const backWords = (from: EntityStatus, steps: readonly EntityStatus[]): Phrase =>
  from === 'absent'
    ? phrase`added and removed again`
    : separated(
        steps.map((step) => [statusPiece(step)]),
        ' → ',
      );
