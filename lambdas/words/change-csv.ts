import { inOrder } from '../events/order.ts';
import { type Entity, type EventPanel, kindOf, type PanelEvent } from '../events/schemas.ts';
import { type EntityChange, EntityHistory, type EntityStatus } from '../filters/entity-history.ts';
import { directionLabels, kindLabels } from './change-sorts.ts';
import { byteOrderMark, cleanLine, csvLine } from './clean-text.ts';
import type { Background } from './message-context.ts';
import type { GroupBlock, Notice, Part, Row, Tone } from './notice.ts';
import { type NamedEntity, rCodesOf } from './panel-words.ts';
import { phraseText, ratingWord, statusPiece } from './phrase.ts';
import { fieldChange } from './value-words.ts';

/** The columns of a list of changed genes, STRs and regions, one a line: on the page, in reports and with messages. */
const changeColumns = [
  'what',
  'catalogue',
  'panel id',
  'panel',
  'R codes',
  'type',
  'gene, STR or region',
  'HGNC id',
  'Ensembl id',
  'OMIM ids',
  'formerly',
  'before',
  'now',
  'steps',
  'on',
  'version of the change',
  'version of the panel',
  'by',
  'inheritance',
  'details',
] as const;

/** A line of such a list, by its columns; a column without a value is empty. */
export type ChangeLine = Readonly<Partial<Record<(typeof changeColumns)[number], string | number | null>>>;

const changeCsv = (lines: readonly ChangeLine[]): string =>
  byteOrderMark +
  csvLine(changeColumns) +
  lines.map((line) => csvLine(changeColumns.map((column) => line[column]))).join('');

/** The columns that name an entity. */
export const entityColumns = ({ type, name, hgncId = null }: EntityColumns): ChangeLine => ({
  type,
  'gene, STR or region': cleanLine(name),
  'HGNC id': hgncId,
});

type EntityColumns = Pick<Entity, 'type' | 'name'> & { readonly hgncId?: string | null | undefined };

/** The columns that an entity's net change gives. */
export const netColumns = (
  { entity, formerly, from, to, steps, at, version, actor, annotations }: EntityChange,
  dayOf: (at: string) => string,
): ChangeLine => ({
  ...entityColumns(entity),
  'Ensembl id': entity.ensemblId ?? null,
  'OMIM ids': entity.omimIds?.join('; ') ?? null,
  formerly: formerly.map((name) => cleanLine(name)).join('; '),
  before: statusWord(from),
  now: statusWord(to),
  steps: steps.map(statusWord).join(' → '),
  on: at === '' ? null : dayOf(at),
  'version of the change': versionCell(version),
  by: cleanLine(actor ?? ''),
  details: [...new Set(annotations.map(fieldChange))].join('; '),
});

/** The columns that name a panel. */
export const placeColumns = (
  panel:
    | (Pick<EventPanel, 'id' | 'name' | 'version'> & {
        readonly relevantDisorders?: readonly string[] | undefined;
      })
    | null,
  catalogue: string,
): ChangeLine => ({
  catalogue,
  'panel id': panel?.id ?? null,
  panel: cleanLine(panel?.name ?? ''),
  'R codes': panel ? rCodesOf(panel).join(', ') : '',
  'version of the panel': versionCell(panel?.version ?? null),
});

/** The columns that the events of one entity give, of which the first is the most important. */
export function columnsOfEntity(
  events: readonly [PanelEvent, ...PanelEvent[]],
  dayOf: (at: string) => string,
): ChangeLine {
  const [{ data, time = '' }] = events;
  const { actor, panel } = data;
  const entity: (Entity & NamedEntity) | null = data.entity;
  const history = entity && new EntityHistory(entity);
  for (const event of inOrder(events)) history?.add(event);
  const change = history?.change();
  const formerly = entity?.formerly === undefined ? [] : [entity.formerly];
  if (change)
    return netColumns({ ...change, formerly: [...new Set([...formerly, ...change.formerly])] }, dayOf);
  return {
    ...(entity && {
      ...entityColumns(entity),
      formerly: formerly.map((name) => cleanLine(name)).join('; '),
    }),
    on: time === '' ? null : dayOf(time),
    'version of the change': versionCell(panel?.version ?? null),
    by: cleanLine(actor ?? ''),
  };
}

/** The columns that the states of panels give. */
export const knownColumns = ({ hgncId, modeOfInheritance }: Background = {}): ChangeLine => ({
  ...(hgncId !== undefined && { 'HGNC id': hgncId }),
  ...(modeOfInheritance !== undefined && { inheritance: cleanLine(modeOfInheritance) }),
});

/** A status in words, for a text without colours. */
export const statusWord = (status: EntityStatus): string => phraseText([statusPiece(status)]);

/** A version for a spreadsheet, which would read `8.10` as the number 8.1: with a `v` before it, it stays a text. */
export const versionCell = (version: string | null | undefined): string | null =>
  version === undefined || version === null || version === '' ? null : `v${cleanLine(version)}`;

/** One line of a list of changes: as a message shows it, and as its file has it; a line about a panel is not in the file. */
export interface ListedChange {
  readonly row: Row;
  readonly cells?: ChangeLine;
}

/** Changes of one sort, for a message and its file alike. */
export interface ChangeList {
  readonly title: string;
  readonly tone: Tone;
  /** In the file; the title in small letters where absent. */
  readonly what?: string;
  /** The changes under each heading, such as a panel's. */
  readonly parts: readonly (Omit<Part, 'rows'> & { readonly changes: readonly ListedChange[] })[];
}

/** The groups of a message that show these lists; none of an empty list. */
export const groupsOf = (lists: readonly ChangeList[]): readonly GroupBlock[] =>
  lists.flatMap(({ title, tone, parts }): readonly GroupBlock[] => {
    const filled = parts
      .filter(({ changes }) => changes.length > 0)
      .map(({ changes, ...part }) => ({ ...part, rows: changes.map(({ row }) => row) }));
    const count = filled.reduce((sum, { rows }) => sum + rows.length, 0);
    return count === 0 ? [] : [{ kind: 'group', title, tone, count, parts: filled }];
  });

/** The lines of the file that holds these lists. */
export const linesOf = (lists: readonly ChangeList[]): readonly ChangeLine[] =>
  lists.flatMap(({ title, what = title.toLowerCase(), parts }) =>
    parts.flatMap(({ changes }) => changes.flatMap(({ cells }) => (cells ? [{ what, ...cells }] : []))),
  );

/** Lists of more lines go along as a file: a reader sorts and filters them. */
const LONG = 20;
const LONGEST_NAME = 80;

/**
 * The file of a list, for a notice; nothing where the list is short.
 * @param always also of a short list
 */
export function listFile(
  title: string,
  lines: readonly ChangeLine[],
  { always = false }: { readonly always?: boolean } = {},
): Pick<Notice, 'file'> {
  if (lines.length === 0 || (lines.length <= LONG && !always)) return {};
  const name = title
    .normalize('NFKD')
    .replace(/[^\w.]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, LONGEST_NAME)
    .toLowerCase();
  return { file: { name: `${name || 'changes'}.csv`, lines: lines.length, content: changeCsv(lines) } };
}

/** The columns of a list of events, in the words of the page, each with its value of an event. */
export const eventValues = {
  time: ({ time }) => time,
  catalogue: ({ data }) => data.catalogue,
  'what happened': whatHappened,
  'panel id': ({ data }) => data.panel?.id,
  panel: ({ data: { panel } }) => panel && cleanLine(panel.name),
  'R codes': ({ data: { panel } }) => panel && rCodesOf(panel).join(', '),
  disorders: ({ data }) => data.panel?.relevantDisorders?.join('; '),
  version: ({ data }) => versionCell(data.panel?.version),
  'signed-off version': ({ data }) => versionCell(data.panel?.signedOffVersion),
  type: ({ data }) => data.entity?.type,
  'gene, STR or region': ({ data: { entity } }) => entity && cleanLine(entity.name),
  'HGNC id': ({ data }) => data.entity?.hgncId,
  'Ensembl id': ({ data }) => data.entity?.ensemblId,
  'OMIM ids': ({ data }) => data.entity?.omimIds?.join('; '),
  before: (event) => ifRated(event, ({ from }) => ratingWord(from)),
  now: (event) => ifRated(event, ({ to }) => ratingWord(to)),
  'how the rating changed': (event) => ifRated(event, ({ direction }) => directionLabels[direction]),
  by: ({ data }) => data.actor,
  late: ({ data }) => (data.late ? 'late' : null),
  summary: ({ data }) => data.summary,
  'event id': ({ id }) => id,
} as const satisfies Readonly<Record<string, (event: PanelEvent) => string | number | null | undefined>>;

const values = Object.values(eventValues);
export const eventColumns = Object.keys(eventValues);

const ifRated = (
  event: PanelEvent,
  words: (change: PanelEvent<'entity.classified'>['data']['change']) => string,
): string | undefined =>
  event.type === 'gene-panel.entity.classified.v1' ? words(event.data.change) : undefined;

/** An event as a line of CSV, in the order of `eventColumns`. */
export const eventLine = (event: PanelEvent): string => csvLine(values.map((of) => of(event)));

function whatHappened(event: PanelEvent): string {
  if (event.type === 'gene-panel.panel.signed-off.v1') {
    return event.data.change.signedOff ? 'panel signed off' : 'sign-off withdrawn';
  }
  const kind = kindOf(event.type);
  return kind === undefined ? event.type : kindLabels[kind];
}
