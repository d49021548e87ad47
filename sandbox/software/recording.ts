import type { Direction, EventKindName } from '../../lambdas/events/changes.ts';
import { fill, knownSlots, type RowContext, type Slots } from './slots.ts';
import {
  type CodeLine,
  type Entity,
  type Fact,
  type FactEntity,
  isOneOf,
  type Panel,
  type Person,
  type Rating,
  type Stated,
  type StatedChange,
  type StatedField,
  versionOf,
} from './state.ts';
import type { EntityType, Values } from './values.ts';
import { type KeyOf, panelRows, type RowShape } from './wordings/row-shape.ts';

/** A person who acts on a panel, from a time on. */
export interface EditSession {
  readonly codeLine: CodeLine;
  readonly panel: Panel;
  readonly person: Person;
  /** Microseconds since the epoch at which the first row is written. */
  readonly at: number;
  /** Microseconds between two rows of one action. */
  readonly gap: () => number;
  /** What the text of a row states to a reader; without it, each value counts as stated. */
  readonly readText?: (row: RowToRead) => StatedByText;
}

/** The fields of a row in the order in which they are served, after `created`. */
export interface RowFields {
  readonly panel_name: string;
  readonly panel_id: number;
  readonly panel_version: string | null;
  readonly user_name: string | null;
  readonly item_type: 'entity' | 'panel';
  readonly text: string;
  readonly entity_name: string | null;
  readonly entity_type: EntityType | null;
}

/** A row of the log with its time, which the server renders in its time zone. */
export interface TimedRow {
  readonly at: number;
  readonly row: RowFields;
}

/** The rows that an action wrote, and what they truly state. */
export interface Outcome {
  /** Oldest first. */
  readonly rows: readonly TimedRow[];
  readonly truth: readonly Fact[];
  /** True where the rows could in principle be those of a different action. */
  readonly ambiguous: boolean;
}

/** A row of the action at hand, and what its text states. */
export interface WrittenRow {
  readonly index: number;
  readonly stated: StatedByText['stated'];
  /** What all lines state together: for rows in which no two lines have a slot of the same name. */
  readonly whole: Readonly<Record<string, Stated>>;
}

/** How a row from before June 2018 differs. */
interface OldRow {
  /** Whether it has no columns of the entity. It never has a panel version. */
  readonly unnamed: boolean;
}

/** Collects the rows of one action, and what they truly state. */
export interface Recording {
  entityRow<Shape extends RowShape>(
    entity: FactEntity,
    shape: Shape,
    lines: readonly LineToWrite<KeyOf<Shape>>[],
    old?: OldRow,
  ): WrittenRow;
  /** A row of a single line. */
  entityLine<Key extends string>(
    entity: FactEntity,
    shapes: { readonly [K in Key]: RowShape<K> },
    [key, slots]: LineToWrite<NoInfer<Key>>,
    old?: OldRow,
  ): WrittenRow;
  panelRow<Shape extends RowShape>(shape: Shape, lines: readonly LineToWrite<KeyOf<Shape>>[]): WrittenRow;
  panelLine(...line: LineToWrite<keyof typeof panelRows>): WrittenRow;
  fact<Kind extends EventKindName>(
    type: Kind,
    entity: FactEntity | null,
    change: StatedChange<Kind>,
    rows: readonly WrittenRow[],
    optional?: 'optional',
  ): void;
  /** States what a row changed of fields. */
  annotated(entity: FactEntity, changes: readonly StatedField[], row: WrittenRow): void;
  /** The rows could be those of another action. */
  markAmbiguous(): void;
}

/** Plays an action: the rows that it writes, and what they truly state. */
export function record(
  { panel, person, at, gap, readText = asWritten }: EditSession,
  play: (recording: Recording) => void,
): Outcome {
  const rows: TimedRow[] = [];
  const truth: Fact[] = [];
  let ambiguous = false;
  let time = at;

  const write = (
    shape: RowShape,
    lines: readonly LineToWrite[],
    entity: FactEntity | null,
    old?: OldRow,
  ): WrittenRow => {
    const named: RowContext = {
      panelName: panel.name,
      entityType: entity?.type ?? null,
      entityName: entity?.name ?? null,
      panelLevel: entity === null,
    };
    const context = old?.unnamed ? { ...named, entityType: null, entityName: null } : named;
    const written = { shape, lines, known: knownSlots(named), context };
    const { stated, ambiguous: doubtful } = readText(written);
    if (rows.length > 0) time += gap();
    ambiguous ||= doubtful;
    rows.push({
      at: time,
      row: {
        panel_name: panel.name,
        panel_id: panel.id,
        panel_version: old ? null : versionOf(panel),
        user_name: person.name,
        item_type: context.panelLevel ? 'panel' : 'entity',
        text: rowText(written),
        entity_name: context.entityName,
        entity_type: context.entityType,
      },
    });
    return { index: rows.length - 1, stated, whole: Object.assign({}, ...stated) };
  };

  const fact: Recording['fact'] = (type, entity, change, writtenRows, optional) => {
    truth.push({
      type,
      panelId: panel.id,
      entity: entity && { type: entity.type, name: entity.name },
      change,
      rows: writtenRows.map(({ index }) => index),
      ...(optional ? { optional: true } : {}),
    });
  };

  play({
    entityRow: (entity, shape, lines, old) => write(shape, lines, entity, old),
    entityLine: (entity, shapes, line, old) => write(shapes[line[0]], [line], entity, old),
    panelRow: (shape, lines) => write(shape, lines, null),
    panelLine: (...line) => write(panelRows[line[0]], [line], null),
    fact,
    annotated: (entity, changes, row) => fact('entity.annotated', entity, { changes }, [row]),
    markAmbiguous: () => {
      ambiguous = true;
    },
  });
  return { rows, truth, ambiguous };
}

function asWritten({ lines }: RowToRead): StatedByText {
  return { stated: lines.map(([, slots = {}]) => slots), ambiguous: false };
}

/** Where an action takes place: the session, an entity on its panel, another panel, and what is entered. */
export interface ActionInput {
  readonly session: EditSession;
  readonly entity: Entity;
  readonly otherPanel: Panel;
  readonly panels: readonly Panel[];
  readonly values: Values;
}

/** A line as an action writes it: its key in the shape, and the values of its slots. */
export type LineToWrite<Key extends string = string> = readonly [key: Key, slots?: Slots];

/** A row to be read: its text, and what it was written from. */
export interface RowToRead {
  readonly shape: RowShape;
  readonly lines: readonly LineToWrite[];
  readonly known: Slots;
  readonly context: RowContext;
}

/** What a reader can know from the text of a row. */
export interface StatedByText {
  /** What each line states, slot by slot: the value where the text settles it, else the values that it allows. */
  readonly stated: readonly Readonly<Record<string, Stated>>[];
  /**
   * True where the text could also be a different row: where a line could end within free text, or where the same
   * lines could have another meaning. Text that can be a line always counts as one, which is no ambiguity.
   */
  readonly ambiguous: boolean;
}

/** The text of a row. */
export function rowText({ shape, lines, known }: Pick<RowToRead, 'shape' | 'lines' | 'known'>): string {
  const texts = lines.map(([key, slots]) => fill(templateOf(shape, key), { ...known, ...slots }));
  return fill(shape.opening ?? '', known) + texts.join(separatorOf(shape));
}

/** What stands between two lines of a row. */
export function separatorOf(shape: RowShape): string {
  return shape.separator ?? '\n';
}

/** The wording of a line. */
export function templateOf(shape: RowShape, key: string): string {
  const template = shape.lines[key];
  if (template === undefined) throw new Error(`no line "${key}" in such a row`);
  return template;
}

const order: readonly Rating[] = ['none', 'red', 'amber', 'green'];

/** The direction of a change of rating. */
export function directionOf(from: Rating, to: Rating): Direction {
  const steps = order.indexOf(to) - order.indexOf(from);
  if (steps === 0) return 'unchanged';
  return steps > 0 ? 'upgraded' : 'downgraded';
}

/** Rates an entity, by rows that do not say the rating before, which earlier rows may have stated. */
export function rateByRows(
  { fact }: Recording,
  entity: Entity,
  to: Rating,
  rows: readonly WrittenRow[],
  optional?: 'optional',
): void {
  const { rating: before, statedRating } = entity;
  const directions = [before, ...(statedRating ? [statedRating] : [])].map((from) => directionOf(from, to));
  const from = { oneOf: [null, before, statedRating] };
  const change = { to, from, direction: { oneOf: ['unknown' as const, ...directions] } };
  fact('entity.classified', entity, change, rows, optional);
  entity.rating = to;
  entity.statedRating = to;
}

/** The values that are acceptable for one. */
export function anyOf(value: Stated): readonly unknown[] {
  return isOneOf(value) ? value.oneOf : [value];
}

/** The change of a field from a line whose key is the field, and its aspect after a dot. */
export function fieldFrom(key: string, stated: Readonly<Record<string, Stated>> | undefined): StatedField {
  const [field = '', aspect] = key.split('.');
  const change: { -readonly [Name in keyof StatedField]: StatedField[Name] } = { field };
  if (aspect !== undefined) change.aspect = aspect;
  for (const slot of ['from', 'to', 'added', 'removed'] as const) {
    if (stated && slot in stated) change[slot] = stated[slot];
  }
  return change;
}
