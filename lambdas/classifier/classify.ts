import {
  type ActivityRow,
  type InvalidRow,
  type LogRow,
  oldestFirst,
  readLogRows,
} from '../catalogue/log-row.ts';
import type { Activity } from '../catalogue/schemas.ts';
import { type Entity, entityTypes } from '../events/schemas.ts';
import { type Composition, compose, type Lines } from './compose.ts';
import { type Context, type Draft, derive, type Form, join, type PreparedForm, prepare } from './form.ts';
import { forms } from './grammar/forms.ts';
import {
  type ByFirstLetters,
  byFirstLetters,
  type Captured,
  match,
  matchStart,
  type Names,
  namesOf,
  type Template,
} from './template.ts';

/** What a row of the log says. */
export interface Reading {
  /** Name of the form that matched. */
  readonly form: string;
  readonly entity: Entity | null;
  readonly draft: Draft;
  /** Lines that no template matches, beside those that were read; empty nearly always. */
  readonly unknown: readonly string[];
}

let byCatalogue: typeof classify | null = null;

/**
 * Reads one row of the activity log. Pure and total: any text of any size gives an answer, in time linear in
 * its length. Null is the answer for an unknown wording.
 */
export function classify(activity: Activity): Reading | null {
  byCatalogue ??= classifierOf(forms);
  return byCatalogue(activity);
}

/** The classifier of a grammar. Of several forms that match a text, it takes the first. */
export function classifierOf(grammar: readonly Form[]): typeof classify {
  const ofLevel = (level: Form['level']): readonly Form[] => grammar.filter((form) => form.level === level);
  const formsFor = (level: Form['level']): Found =>
    byFirstLetters(ofLevel(level).map(prepare), ({ form }) => firstTemplates(form));
  const entityForms = formsFor('entity');
  const panelForms = formsFor('panel');
  const firstLines = byFirstLetters(ofLevel('entity').flatMap(firstTemplates), (template) => [template]);
  const isKnown = knownBy(grammar);

  function viewOf(activity: Activity, subject: Subject, found: Found): View {
    const lines = linesOf(activity.text, subject, isKnown);
    return { activity, subject, lines, forms: found.candidates(lines.first) };
  }

  /** What the row may be about, the likeliest first: one that names no entity may be about its panel. */
  function viewsOf(activity: Activity): readonly View[] {
    const { item_type, entity_name, panel_name, text } = activity;
    const panel = (): View => viewOf(activity, subjectOf(null, panel_name), panelForms);
    if (item_type === 'panel') return [panel()];
    const subjects = subjectsOf(activity, () => firstLines.starting(text));
    const views = subjects.map((subject) => viewOf(activity, subject, entityForms));
    return item_type !== 'entity' && entity_name === null ? [panel(), ...views] : views;
  }

  /** A reading of all lines, else one that leaves out unknown lines. */
  function readAny(activity: Activity): Reading | null {
    const views = viewsOf(activity);
    return firstReading(views, false) ?? firstReading(views, true);
  }

  return (activity) => {
    const reading = readAny(activity);
    if (reading) return reading;
    // The first word of old rows has a small letter or a capital one.
    const text = withOtherFirstLetter(activity.text);
    return text === activity.text ? null : readAny({ ...activity, text });
  };
}

/** The first reading in the order of the grammar. */
function firstReading(views: readonly View[], partial: boolean): Reading | null {
  for (const view of views) {
    for (const form of view.forms) {
      const reading = readAs(form, view, partial);
      if (reading) return reading;
    }
  }
  return null;
}

type Found = ByFirstLetters<PreparedForm>;

/** The templates that the first line of a form's texts can match. */
function firstTemplates({ within, slots }: Form): readonly Template[] {
  if (within) return within.templates;
  const end = slots.findIndex(({ required }) => required);
  const first = end === -1 ? slots : slots.slice(0, end + 1);
  return first.flatMap(({ parts }) => parts.flatMap(({ templates }) => templates));
}

function knownBy(grammar: readonly Form[]): IsKnown {
  const all = grammar.flatMap(({ slots }) =>
    slots.flatMap(({ parts }) =>
      parts.flatMap(({ extent, templates }) =>
        templates.map((template) => ({ template, isLine: extent === 'line' })),
      ),
    ),
  );
  const { candidates } = byFirstLetters(all, ({ template }) => [template]);
  return (line, names) =>
    candidates(line).some(({ template, isLine }) =>
      isLine ? match(template, names, line) !== null : matchStart(template, names, line) !== -1,
    );
}

function withOtherFirstLetter(text: string): string {
  const first = text.charAt(0);
  const other = first === first.toLowerCase() ? first.toUpperCase() : first.toLowerCase();
  return other + text.slice(1);
}

/** A row as one of the things that it may be about. */
interface View {
  readonly activity: Activity;
  readonly subject: Subject;
  readonly lines: Lines;
  /** Those that start with its first letter; then those that start with free text. */
  readonly forms: readonly PreparedForm[];
}

/** What the row says by a form; null where the form does not match. */
function readAs(
  prepared: PreparedForm,
  { activity, subject, lines }: View,
  partial: boolean,
): Reading | null {
  const { form } = prepared;
  const { entity } = subject;
  if (entity ? !form.types.includes(entity.type) : form.types.length < entityTypes.length) return null;
  if (partial && isOneLine(form)) return null;
  let pieces = lines;
  if (form.within) {
    const [opening] = form.within.templates;
    const fields = opening && match(opening, subject.first, activity.text)?.words;
    if (fields === undefined) return null;
    pieces = fieldsOf(fields, form.separator, subject.first);
  }
  const composition = compose(prepared, pieces, partial);
  return composition && readingOf(form, composition, { activity, entity });
}

function isOneLine({ slots }: Form): boolean {
  const [slot] = slots;
  return slots.length === 1 && slot?.many === false && slot.parts.every(({ extent }) => extent === 'line');
}

function readingOf(form: Form, { parts, unknown }: Composition, context: Context): Reading | null {
  let draft: Draft | null = form.within ? form.within.read('', context, {}) : null;
  let { entity } = context;
  for (const { part, captured } of parts) {
    if (captured === null) continue;
    const stated = part.read(captured.words, context, captured.groups);
    if (!stated) return null;
    draft = draft ? join(draft, stated) : stated;
    entity ??= entityIn(captured.groups);
  }
  return draft && { form: form.name, entity, draft: derive(draft), unknown };
}

/** The labels that panel-level texts write before a name, and the type that each one means. */
const typesByLabel: Readonly<Record<string, Entity['type']>> = {
  gene: 'gene',
  STR: 'str',
  Region: 'region',
  region: 'region',
};

/** The entity that a panel-level text names. */
function entityIn({ type, entity }: Captured['groups']): Entity | null {
  const known = typesByLabel[type ?? ''];
  return known && entity ? { type: known, name: entity } : null;
}

/** How the catalogue writes ratings in its lines. */
const ratingLabel = /\b(?:(?:Green|Amber|Red) List|No [Ll]ist)\b/;

/** Whether some template of the grammar matches a line, after the names that it can mention. */
type IsKnown = (line: string, names: Names) => boolean;

/**
 * The lines of a text. A later line that names the entity or a rating, and that no template matches, may be a new
 * wording of the software. Such a line is unknown: it does not count as part of the free text before it.
 */
function linesOf(text: string, { entity, panel, first, later }: Subject, isKnown: IsKnown): Lines {
  const broken = panel.includes('\n') ? panel : entity?.name.includes('\n') ? entity.name : null;
  let lines: readonly string[] | undefined;
  const all = (): readonly string[] => (lines ??= split(text, broken));
  return {
    text,
    first: broken === null ? firstLineOf(text) : (all()[0] ?? ''),
    all,
    firstNames: first,
    laterNames: later,
    isUnknown: (line) => {
      const words = all()[line] ?? '';
      const names = (entity !== null && holdsWord(words, entity.name)) || ratingLabel.test(words);
      return line > 0 && names && !isKnown(words, later);
    },
  };
}

function firstLineOf(text: string): string {
  const end = text.indexOf('\n');
  return end === -1 ? text : text.slice(0, end);
}

/** The fields of a review: what a person writes into them can name anything. */
function fieldsOf(text: string, separator: string, names: Names): Lines {
  const fields = text.split(separator);
  return {
    text,
    first: fields[0] ?? '',
    all: () => fields,
    firstNames: names,
    laterNames: names,
    isUnknown: () => false,
  };
}

/** Replaces a name while a text is split. */
const STAND_IN = '\uE000';

/** Splits a text into lines. A line break within a name does not end a line. */
function split(text: string, broken: string | null): readonly string[] {
  if (!text.includes('\n')) return [text];
  if (broken === null || text.includes(STAND_IN)) return text.split('\n');
  return text
    .replaceAll(broken, STAND_IN)
    .split('\n')
    .map((line) => line.replaceAll(STAND_IN, () => broken));
}

/** Whether the text holds the word, and not as a part of a longer one. */
function holdsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
    if (!/[\w-]/.test(text.charAt(at - 1)) && !/[\w-]/.test(text.charAt(at + word.length))) return true;
  }
  return false;
}

/** What a text may be about, and the names that its lines can mention. */
interface Subject {
  readonly entity: Entity | null;
  readonly panel: string;
  /** The names that the first line can mention, and all later ones. */
  readonly first: Names;
  readonly later: Names;
}

/** The subject of a row about the panel itself, or about an entity of it. */
function subjectOf(entity: Entity | null, panel: string, former?: string): Subject {
  const first = namesOf(entity, panel);
  const later = entity && former !== undefined ? namesOf({ ...entity, name: former }, panel) : first;
  return { entity, panel, first, later };
}

/**
 * What a row about an entity may be about, the likeliest first: what the row says, else guesses from its text.
 * `firstLines` gives the templates that can match its first line; one has to confirm the guess.
 */
function subjectsOf(activity: Activity, firstLines: () => readonly Template[]): readonly Subject[] {
  const { text, panel_name: panel, entity_name: name, entity_type } = activity;
  const type = entityTypes.find((known) => known === entity_type);
  if (name && type) {
    const entity = { type, name };
    const former = type === 'gene' ? null : formerName(text, name);
    const subject = subjectOf(entity, panel);
    return former === null ? [subject] : [subject, subjectOf(entity, panel, former)];
  }
  const guesses = name
    ? entityTypes.map((guess) => ({ type: guess, name }))
    : namedIn(text.split('\n', 1)[0] ?? '', firstLines());
  return [null, ...guesses].map((entity) => subjectOf(entity, panel));
}

/** The old name, where a composite starts with a rename to the name that its row carries. */
function formerName(text: string, name: string): string | null {
  const end = text.indexOf('\n');
  const words = ` was changed to ${name}`;
  return end !== -1 && text.endsWith(words, end) ? text.slice(0, end - words.length) : null;
}

/** The entities that a first line may name, each once. */
function namedIn(line: string, firstLines: readonly Template[]): readonly Entity[] {
  const found = new Map<string, Entity>();
  for (const { anyEntity } of firstLines) {
    const { gene, str, region, bare } = anyEntity.exec(line)?.groups ?? {};
    const name = gene ?? str ?? region ?? bare;
    if (name === undefined) continue;
    // Wordings without a label come from a time when panels held nothing but genes.
    const type = str !== undefined ? 'str' : region !== undefined ? 'region' : 'gene';
    found.set(`${type} ${name}`, { type, name });
  }
  return [...found.values()];
}

/** A row whose text the grammar recognises. */
export interface RecognisedRow extends Omit<ActivityRow, 'kind'> {
  readonly kind: 'recognised';
  readonly reading: Reading;
}

/** A row whose text no template of the grammar matches. */
export interface UnrecognisedRow extends Omit<ActivityRow, 'kind'> {
  readonly kind: 'unrecognised';
}

/** A row of the log after classification. */
export type ClassifiedRow = RecognisedRow | UnrecognisedRow | InvalidRow;

/** A row with the reading of its text; an invalid row stays as it is. Pure and total. */
export function classifyRow(row: LogRow): ClassifiedRow {
  if (row.kind === 'invalid') return row;
  const reading = classify(row.activity);
  return reading ? { ...row, kind: 'recognised', reading } : { ...row, kind: 'unrecognised' };
}

/** All rows of a saved log as received: each once, oldest first, classified. */
export function classifyLog(received: readonly unknown[]): readonly ClassifiedRow[] {
  return [...readLogRows(received)].sort(oldestFirst).map(classifyRow);
}
