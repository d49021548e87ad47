import type { EventKindName } from '../../lambdas/events/changes.ts';
import { fill, knownSlots, type RowContext, type Slots } from './slots.ts';
import {
  type CodeLine,
  type Entity,
  type Fact,
  type FactEntity,
  type Panel,
  type Person,
  type Stated,
  type StatedChange,
  versionOf,
} from './state.ts';
import type { EntityType, Values } from './values.ts';
import type { KeyOf, RowShape } from './wordings/row-shape.ts';

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
}

interface NamedEntity {
  readonly type: EntityType;
  readonly name: string;
}

/** How a row from before June 2018 differs. */
export interface OldRow {
  /** It has no panel version. */
  readonly old: true;
  readonly unnamed: boolean;
}

/** Collects the rows of one action, and what they truly state. */
export interface Recording {
  entityRow<Shape extends RowShape>(
    entity: NamedEntity,
    shape: Shape,
    lines: readonly LineToWrite<KeyOf<Shape>>[],
    old?: OldRow,
  ): WrittenRow;
  panelRow<Shape extends RowShape>(shape: Shape, lines: readonly LineToWrite<KeyOf<Shape>>[]): WrittenRow;
  fact<Kind extends EventKindName>(
    type: Kind,
    entity: FactEntity | null,
    change: StatedChange<Kind>,
    rows: readonly WrittenRow[],
    optional?: 'optional',
  ): void;
  outcome(): Outcome;
}

/** Starts a recording of the rows of one action, and of what they truly state. */
export function startRecording({ panel, person, at, gap, readText = asWritten }: EditSession): Recording {
  const rows: TimedRow[] = [];
  const truth: Fact[] = [];
  let ambiguous = false;
  let time = at;

  const write = (written: RowToRead, version: string | null): WrittenRow => {
    const { context } = written;
    const { stated, ambiguous: doubtful } = readText(written);
    if (rows.length > 0) time += gap();
    ambiguous ||= doubtful;
    rows.push({
      at: time,
      row: {
        panel_name: panel.name,
        panel_id: panel.id,
        panel_version: version,
        user_name: person.name,
        item_type: context.panelLevel ? 'panel' : 'entity',
        text: rowText(written),
        entity_name: context.entityName,
        entity_type: context.entityType,
      },
    });
    return { index: rows.length - 1, stated };
  };

  return {
    entityRow(entity, shape, lines, old) {
      const named = {
        panelName: panel.name,
        entityType: entity.type,
        entityName: entity.name,
        panelLevel: false,
      };
      const context = old?.unnamed ? { ...named, entityType: null, entityName: null } : named;
      return write({ shape, lines, known: knownSlots(named), context }, old ? null : versionOf(panel));
    },
    panelRow(shape, lines) {
      const context: RowContext = {
        panelName: panel.name,
        entityType: null,
        entityName: null,
        panelLevel: true,
      };
      return write({ shape, lines, known: knownSlots(context), context }, versionOf(panel));
    },
    fact(type, entity, change, writtenRows, optional) {
      truth.push({
        type,
        panelId: panel.id,
        entity,
        change,
        rows: writtenRows.map(({ index }) => index),
        ...(optional ? { optional: true } : {}),
      });
    },
    outcome: () => ({ rows, truth, ambiguous }),
  };
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
