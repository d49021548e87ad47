import type { Catalogue } from '../catalogue/client.ts';
import type { createOnDemandStates } from '../panels/find-state.ts';
import type { PanelStateStore } from '../panels/panel-state-store.ts';
import type { LeftOut } from '../panels/sqlite-as-of.ts';
import { dayOf, type Instant, minutes, parseInstant } from '../run/instant.ts';
import type { History } from '../store/history/history.ts';
import type { HistoryPages } from '../store/history/sqlite-pages.ts';
import type { NamedPlace } from '../store/history/unknown-names.ts';
import type { Phrase } from '../words/phrase.ts';
import type { NamedCases, OpenedCases } from './impact/read-cases.ts';
import type { WorklistStore } from './worklist/worklist-record.ts';
import type { WorklistSettings } from './worklist/worklist-settings.ts';

/** Where a question is answered: a folder, a deployed stage, or the page's copy of one. */
export interface Place extends NamedPlace {
  readonly history: History;
  /** The catalogues that are asked about: all that are followed, or the one that was named. */
  readonly catalogues: readonly string[];
  /** The one that was named. */
  readonly catalogue?: string;
  /** What the panels of a catalogue held, at each version that was read. */
  states(catalogue: string): PanelStateStore;
  readonly now: Instant;
  /** The place is shown as it was at an earlier time, which `now` is too, and its answers say so. */
  readonly asOf?: AsOf | undefined;
  readonly times: Times;
  /** Shows how many events were read, where reading takes long. */
  readonly progress?: { show(read: number, total: null): void; end(): void };
  /** Takes rows as they are read, for a file of lines, which need not be held then; absent where they must be. */
  write?(rows: readonly unknown[]): Promise<void>;
  /** Is asked for states that are not kept; absent where nothing may be asked of a catalogue. */
  readonly archive?: AskedCatalogue | null;
  /** The history in pages; absent for a command. */
  readonly pages?: Pick<HistoryPages, 'page' | 'bodyAt'>;
  /** The decisions of a worklist, and which changes are its entries; null where none is kept. */
  readonly worklist?: { readonly store: WorklistStore; readonly settings: WorklistSettings } | null;
  /** Opens cases; absent where none can be named. */
  openCases?(cases: NamedCases): Promise<OpenedCases>;
  /** Whether what the archive shows can be kept, so that it is asked for once. */
  readonly keepsStates?: boolean;
  /** The content of the file that says which panels of two catalogues belong together; null where none does, absent for a command. */
  pairs?(one: string, other: string): string | null;
}

/** The earlier time that a place is shown at. */
export interface AsOf {
  readonly at: Instant;
  /** Counted where somebody asks for it. */
  readonly leftOut?: LeftOut | undefined;
}

interface AskedCatalogue extends ReturnType<typeof createOnDemandStates> {
  readonly client: Catalogue;
  panels: Catalogue['panels'];
}

/** How the reader of an answer writes days and times. */
export interface Times {
  day(at: Instant): string;
  /** The day of an instant as `2026-01-31`. */
  iso(at: Instant): string;
  moment(at: Instant): string;
  /** The instant at which a day such as `2026-01-31` begins, or the one that many days later. */
  startOf(day: string, later?: number): Instant;
}

/** How the page's form asks for an option; one without a field is on the command line and in addresses only. */
export type Field = { readonly label: string } & (
  | { readonly kind: 'names'; readonly of: 'panel' | 'gene' | 'r-code' }
  | { readonly kind: 'choice'; readonly choices: Readonly<Record<string, string>> }
  /** `value`: what it states where it is set; `yes` where absent. */
  | { readonly kind: 'flag'; readonly value?: string }
  | { readonly kind: 'day' }
  | { readonly kind: 'text'; readonly example: string }
);

/** An option of a question, the same on the command line and in an address. */
export interface Option<Value> {
  /** A sentence for the help, without its full stop. */
  readonly help: string;
  /** What it takes, as the help writes it: `ID|NAME`; absent where it is set or not. */
  readonly takes?: string;
  readonly isMultiple?: boolean;
  readonly splits?: boolean;
  /** Whether the arguments of the command that belong to no option are its values. */
  readonly isPositional?: boolean;
  /** Whether the command takes the name of a file, and the option its content. */
  readonly isFile?: boolean;
  /** Who alone has it: commands, or programs that ask an address; all where absent. */
  readonly isFor?: 'commands' | 'programs';
  readonly field?: Field;
  /**
   * @param texts what was given, without empty texts and without repetition
   * @throws {OptionError} when a text is not one that the option takes
   */
  read(texts: readonly string[], moment: { readonly now: Instant; readonly times: Times }): Value;
}

/** Days and times in UTC, for a terminal and for programs. */
export const utcTimes: Times = {
  day: (at) => dayOf(at).slice(0, 10),
  iso: (at) => dayOf(at).slice(0, 10),
  moment: dayOf,
  startOf: (day, later = 0) => (parseInstant(`${day}T00:00:00Z`) ?? 0n) + BigInt(later) * minutes(24 * 60),
};

/** What was given for options, by their names. */
export type Texts = Readonly<Record<string, readonly string[]>>;

/** The options of a question, by their names on the command line and in an address. */
export type Options = Readonly<Record<string, Option<unknown>>>;

/** The values of options, each read. */
export type Asked<Declared extends Options> = {
  readonly [Name in keyof Declared]: ReturnType<Declared[Name]['read']>;
};

/** The groups in which commands are listed. */
export type Group = 'Every day' | 'Beside them' | 'More';

/**
 * Something that people ask of what was read, declared once. The command with its help, the view with its form, the files
 * and the interface for programs follow from it.
 */
export interface Question<Declared extends Options = Options, Row = unknown> {
  /** The command, and with a slash before it the address of the view: `compare`. */
  readonly name: string;
  /** The heading of the view and of printed answers. */
  readonly title: string;
  /** Its entries in the menu of the page; a question without one is reached by its address only. */
  readonly menu?: readonly {
    readonly words: string;
    /** What it asks, with these catalogues followed; null where there is nothing to ask. */
    texts?(catalogues: readonly string[]): Texts | null;
  }[];
  /** One line of the list of commands: what the command does. */
  readonly sentence: string;
  /** Where that line is. */
  readonly group: Group;
  /** What the answer means: a paragraph, on the page and in the help. */
  readonly about: string;
  readonly options: Declared;
  readonly columns: readonly Column<Row>[];
  /** What the rows are, where files need no column `what`; programs get events as they were published. */
  readonly rowsAre?: 'events' | 'of one kind';
  /** Whether events alone answer it: then a deployed stage answers as of an earlier time, too. */
  readonly isOfEvents?: boolean;
  /** Whether the command may ask a catalogue for states that are not kept. */
  readonly asksCatalogue?: boolean;
  /** Whether it names people or cases: a file with its answer is for this user alone. */
  readonly isOfPeople?: boolean;
  /** Files that only this question has, by the name of their format. */
  readonly formats?: Readonly<Record<string, FileFormat<Declared, Row>>>;
  /** Arguments of the command that are worth trying. */
  readonly examples: readonly string[];
  /** The name of a file with the answer, without the day and the extension. */
  readonly file: string;
  /** @throws {HistoryError | StateError} when what is kept cannot be read */
  answer(asked: Asked<Declared>, place: Place): Promise<Answer<Row>>;
}

interface FileFormat<Declared extends Options, Row> {
  /** What loads it, for people. */
  readonly label: string;
  /** The end of its name, without a dot. */
  readonly extension: string;
  write(answered: {
    readonly asked: Asked<Declared>;
    readonly lists: readonly List<Row>[];
  }): WrittenFile | Promise<WrittenFile>;
}

/** The content of such a file. */
export interface WrittenFile {
  readonly text: string;
  /** Sentences about what is not in the file. */
  readonly notes: readonly string[];
}

/** The value of a column in a file. */
export type Value = string | number | boolean | null | readonly string[];

/** One column: for files, for people, or for both. */
export interface Column<Row> {
  /** Its name in files. */
  readonly key: string;
  /** Its value in files, undefined where it is unknown; a column without it is for people only. */
  value?(row: Row): Value | undefined;
  /** Whether a spreadsheet would read the value as a number that it is not: `8.10` as 8.1. */
  readonly isVersion?: boolean;
  /** Its heading for people, with `phrase`; a column without them is in files only. */
  readonly heading?: string;
  phrase?(row: Row, times: Times): Phrase;
  /** More words, which the page shows smaller. */
  note?(row: Row, times: Times): Phrase;
  /** What the words are, where they are aligned otherwise than text or must not be broken; `details` are below a line. */
  readonly kind?: 'number' | 'time' | 'details';
}

/** Rows of one kind. */
export interface List<Row> {
  /** What they are, in the column `what` of files; with a capital letter it is their heading. */
  readonly what: string;
  readonly rows: readonly Row[];
}

/** A name that nothing has, so that its answer is no all-clear. */
interface UnknownName {
  /** The option that states it. */
  readonly option: string;
  readonly value: string;
  /** What it is, as a whole sentence. */
  readonly statement: string;
}

/** Something that an answer does not cover, or that its reader must know. */
export interface Limit {
  /**
   * `name`: something asked for does not exist. `unread`: nothing was read of what is asked for. `unknown`: it is not covered
   * and should be. `as-of`: the answer is as of an earlier time. `note`: the answer is whole all the same.
   */
  readonly kind: 'name' | 'unread' | 'unknown' | 'as-of' | 'note';
  /** For people. */
  readonly sentence: string;
  /** Of the kind `name`. */
  readonly unknown?: UnknownName;
}

/** Sentences about what an answer does not cover, or that its reader must know; empty ones are left out. */
export const limitsOf = (kind: Limit['kind'], ...sentences: readonly string[]): readonly Limit[] =>
  sentences.filter(Boolean).map((sentence) => ({ kind, sentence }));

/** That nothing has a name that an option states. */
export const unknownNameLimit = ({ sentence, ...unknown }: UnknownName & Pick<Limit, 'sentence'>): Limit => ({
  kind: 'name',
  sentence,
  unknown,
});

/** An answer of nothing but why nothing is answered. */
export const notAnswered = (sentence: string): Answer<never> => ({
  ...{ lead: [], lists: [], limits: limitsOf('unread', sentence) },
});

/** What is answered, before it is printed, shown or written. */
export interface Answer<Row> {
  /** What was asked, in words, for print and at the head of the page: its period, its panels. */
  readonly scope?: readonly string[];
  /** Sentences above the lists; they also say so where nothing was found. */
  readonly lead: readonly Phrase[];
  /** Lists without a row are not shown. */
  readonly lists: readonly List<Row>[];
  readonly limits: readonly Limit[];
  /** Where rows follow that the answer does not have: the values of options that ask for them. */
  readonly next?: Texts;
  /** The headings of the columns that people see, by their keys, where they depend on what is asked. */
  readonly headings?: Readonly<Record<string, string>>;
}

/** The headings of the columns that people see, without those that an answer does not fill. */
export const headingsWithout = (
  columns: readonly Pick<Column<never>, 'key' | 'heading'>[],
  hidden: readonly (string | false)[],
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    columns.flatMap(({ key, heading }) =>
      heading === undefined || hidden.includes(key) ? [] : [[key, heading]],
    ),
  );

/** The exit code of an answer: 0 whole, 3 a name is unknown or nothing was read, 4 something is unknown. */
export function exitCodeOf(limits: readonly Limit[]): 0 | 3 | 4 {
  if (limits.some(({ kind }) => kind === 'name' || kind === 'unread')) return 3;
  return limits.some(({ kind }) => kind === 'unknown') ? 4 : 0;
}

/** Returns the question, with the types of its options and rows held against each other. */
export const declare = <Declared extends Options, Row>(question: Question<Declared, Row>): Question =>
  question as unknown as Question;
