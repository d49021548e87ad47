import { capitalize, printablePart, safeJson } from '../run/text.ts';
import { byteOrderMark, csvLine } from '../words/clean-text.ts';
import { htmlText, pageText, printedPage } from '../words/html-page.ts';
import { type Phrase, type PieceRenderers, phraseText, ratingWord, renderPhrase } from '../words/phrase.ts';
import type { Answer, Column, Question, Times, Value } from './question.ts';
import { exitCodeOf } from './question.ts';

/** An answer, and the question that it is of. */
export interface Answered {
  readonly question: Question;
  readonly answer: Answer<unknown>;
  readonly times: Times;
}

type Line = Readonly<Record<string, Value | undefined>>;

type Lists = Answer<unknown>['lists'];

/** One at a time: thousands of them at once outlive collections of young objects. */
function* linesOf({ columns, rowsAre }: Question, lists: Lists): Generator<Line, undefined> {
  const filled = columns.filter(({ value }) => value !== undefined);
  const keys = [...(rowsAre === undefined ? ['what'] : []), ...filled.map(({ key }) => key)];
  // To copy a parsed object and fill it in takes a fraction of adding so many keys to each of thousands of objects.
  const empty: Line = JSON.parse(JSON.stringify(Object.fromEntries(keys.map((key) => [key, null]))));
  for (const { what, rows } of lists) {
    for (const row of rows) {
      const line: Record<string, Line[string]> = { ...empty };
      if (rowsAre === undefined) line.what = what;
      for (const { key, value } of filled) line[key] = value?.(row);
      yield line;
    }
  }
}

const forPrograms = (question: Question, lists: Lists): Iterable<unknown> =>
  question.rowsAre === 'events' ? lists.flatMap(({ rows }) => rows) : linesOf(question, lists);

/** A file of lines in parts: it can be written while its rows are read. */
interface LineFormat {
  readonly head: string;
  lines(lists: Lists): string;
  /** What follows the last row. */
  end(answer: Answer<unknown>): string;
}

/** One JSON object a line. */
export const ndjson = (question: Question): LineFormat => ({
  head: '',
  lines: (lists) =>
    Array.from(forPrograms(question, lists), (line) => `${safeJson(JSON.stringify(line))}\n`).join(''),
  end: () => '',
});

/** One JSON document: the rows with the sentences above them, and whether they are all that was asked for. */
export function jsonOf(answered: Answered): string {
  const { scope = [], lead, limits } = answered.answer;
  const document = {
    question: answered.question.name,
    isWhole: exitCodeOf(limits) === 0,
    scope,
    lead: lead.map(phraseText),
    limits,
    rows: [...forPrograms(answered.question, answered.answer.lists)],
  };
  return `${safeJson(JSON.stringify(document, null, 2))}\n`;
}

/** The rows for a spreadsheet, and below them a line for each sentence about what is not in them. */
export function csv(question: Question): LineFormat {
  const { columns, rowsAre } = question;
  const filled = columns.filter(({ value }) => value !== undefined);
  const keys = [...(rowsAre ? [] : ['what']), ...filled.map(({ key }) => key)];
  const versions = new Set(filled.filter(({ isVersion }) => isVersion).map(({ key }) => key));
  const cellOf = (key: string, value: Value = null) => {
    const text = Array.isArray(value) ? value.join('; ') : (value as Exclude<Value, readonly string[]>);
    return versions.has(key) && typeof text === 'string' ? text.replaceAll(/(?<!\S)(?=\d)/g, 'v') : text;
  };
  return {
    head: byteOrderMark + csvLine(keys),
    lines: (lists) =>
      Array.from(linesOf(question, lists), (line) => csvLine(keys.map((key) => cellOf(key, line[key])))).join(
        '',
      ),
    end: ({ scope, limits }) =>
      [...(scope ? [scope.join(', ')] : []), ...limits.map(({ sentence }) => sentence)]
        .map((note) => csvLine([note]))
        .join(''),
  };
}

/** A file of lines as a whole. */
export const documentOf = (format: typeof csv, { question, answer }: Answered): string => {
  const { head, lines, end } = format(question);
  return head + lines(answer.lists) + end(answer);
};

/** The columns that people see, with their headings. */
export const shownColumns = ({
  question: { columns },
  answer: { headings },
}: Pick<Answered, 'question' | 'answer'>): readonly (Column<unknown> & { heading: string })[] =>
  columns.flatMap((column) => {
    const heading = headings ? headings[column.key] : column.heading;
    return heading === undefined ? [] : [{ ...column, heading }];
  });

/** One HTML page to print, to send or to keep. */
export function htmlOf(answered: Answered): string {
  const { question, answer, times } = answered;
  const all = shownColumns(answered);
  const columns = all.filter(({ kind }) => kind !== 'details');
  const heads = columns.map(({ heading }) => `<th scope="col">${pageText(heading)}</th>`).join('');
  const wordsOf = (column: Column<unknown>, row: unknown): string => {
    const [words, note] = [column.phrase?.(row, times) ?? [], column.note?.(row, times) ?? []];
    return `${inHtml(words)}${note.length > 0 ? ` <small>${inHtml(note)}</small>` : ''}`;
  };
  const detailsOf = (row: unknown): string => {
    const details = all
      .filter(({ kind }) => kind === 'details')
      .map((column) => [pageText(column.heading), wordsOf(column, row)] as const)
      .flatMap(([heading, words]) => (words === '' ? [] : [`<b>${heading}</b>: ${words}`]));
    return details.length === 0
      ? ''
      : `<tr><td colspan="${columns.length}">${details.join('<br>')}</td></tr>`;
  };
  const rowOf = (row: unknown): string =>
    `<tr>${columns
      .map((column, at) =>
        at === 0
          ? `<th scope="row">${wordsOf(column, row)}</th>`
          : `<td data-label="${pageText(column.heading)}">${wordsOf(column, row)}</td>`,
      )
      .join('')}</tr>${detailsOf(row)}`;
  const body = [
    ...(answer.scope ? [`<p>${pageText(answer.scope.join(' · '))}</p>`] : []),
    ...answer.lead.map((words) => `<p>${inHtml(words)}</p>`),
    ...answer.limits.map(({ kind, sentence }) =>
      kind === 'note' ? `<p>${pageText(sentence)}</p>` : `<p class="warning">${pageText(sentence)}</p>`,
    ),
    ...answer.lists
      .filter(({ rows }) => rows.length > 0)
      .map(
        ({ what, rows }) =>
          `<section><h2>${pageText(capitalize(what))} <small>${rows.length}</small></h2><table><thead><tr>${heads}</tr></thead><tbody>${rows.map(rowOf).join('\n')}</tbody></table></section>`,
      ),
  ];
  return printedPage({ title: question.title, body });
}

const inHtml = (words: Phrase): string => renderPhrase(words, pieces).join('');

/** A part of a sentence: spaces at its ends stay. */
const part = (text: string): string => htmlText(printablePart(text));

const pieces: PieceRenderers<string> = {
  text: ({ text }) => part(text),
  rating: ({ rating }) => `<span class="pill ${rating}">${pageText(ratingWord(rating))}</span>`,
  name: ({ text }) => part(text),
  // An address of the page leads nowhere in a file.
  link: ({ text, address }) =>
    address.startsWith('/')
      ? part(text)
      : `<a href="${pageText(address)}" rel="noreferrer">${part(text)}</a>`,
};
