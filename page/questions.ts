import type { Hono } from 'hono';
import { questions } from '../lambdas/questions/all.ts';
import { ask, asOfOptions } from '../lambdas/questions/ask.ts';
import { type Answered, csv, documentOf, shownColumns } from '../lambdas/questions/documents.ts';
import { valuesOf } from '../lambdas/questions/options.ts';
import type {
  AsOf,
  Field,
  Limit,
  Option,
  Place,
  Question,
  Texts,
  Times,
} from '../lambdas/questions/question.ts';
import { question as state } from '../lambdas/questions/state.ts';
import { instantOf } from '../lambdas/run/instant.ts';
import { capitalize } from '../lambdas/run/text.ts';
import type { Phrase } from '../lambdas/words/phrase.ts';
import { type Html, html, type LocalTimes, phraseView } from './html.ts';
import { isNamedFilter, nameField, unknownNamesView } from './names.ts';
import { AddressError, csvResponse, fileResponse, orAddressError, textsIn } from './read-address.ts';
import type { RouteContext } from './route-context.ts';

/** Every question as a view with its form, and as CSV; what panels held also as files that other programs load. */
export function addQuestionRoutes(app: Hono, context: RouteContext): void {
  for (const [name, load] of Object.entries(questions)) {
    app.get(`/${name}`, async ({ req }) =>
      askInTime(context, (await load()).question, req.url, async (found, then) => {
        const main = await questionView(found, then);
        const current = currentEntry(found, await then.followed());
        const content = { title: found.question.title, current, main, bodyClass: 'printable' };
        return then.answer(content, found.isWithheld ? 404 : 200);
      }),
    );
    const times = fileTimes(context.times);
    app.get(`/${name}.csv`, async ({ req }) =>
      askInTime(
        context,
        (await load()).question,
        req.url,
        (found, then) => {
          if (found.isWithheld) return refuseFile(found, then);
          const day = then.times.iso(then.clock.now());
          return csvResponse([documentOf(csv, found)], `${found.question.file}-${day}`);
        },
        times,
      ),
    );
  }
  addStateFileRoutes(app, context);
}

/** What is unknown of what was asked: a file cannot say it. */
const unknownOf = ({ answer }: Found) =>
  answer.limits.filter(({ kind }) => kind !== 'note' && kind !== 'as-of');

/** The response where a file would have nothing that was asked for. */
const refuseFile = (found: Found, { refuse }: RouteContext): Promise<Response> =>
  refuse(unknownOf(found)[0]?.sentence ?? '', 'So no file can say anything about it.', 404);

/** What panels held, as files that other programs load. */
function addStateFileRoutes(app: Hono, context: RouteContext): void {
  app.get('/state/files', ({ req }) =>
    askInTime(context, state, req.url, async (found) => {
      const relay = context.relay?.() ?? null;
      const relayed =
        relay === null ? [] : (await context.followed()).map((name) => `${relay}${name}/api/v1/`);
      const content = { title: 'Files of a panel', current: 'state', main: await filesView(found, relayed) };
      return context.answer(content, found.isWithheld ? 404 : 200);
    }),
  );

  app.get('/state/files/:format', async ({ req }) => {
    const asked = req.param('format');
    const format = Object.entries(state.formats ?? {}).find(([name]) => name === asked)?.[1];
    if (!format) return context.refuse('No such file', `There is no format “${asked.slice(0, 40)}”.`, 404);
    return askInTime(context, state, req.url, async (found, then) => {
      if (unknownOf(found).length > 0) return refuseFile(found, then);
      const day = then.times.iso(then.clock.now());
      const { text } = await format.write({ asked: found.asked, lists: found.answer.lists });
      return fileResponse([text], { name: `${state.file}-${day}.${format.extension}`, type: 'text/plain' });
    });
  });
}

async function filesView(found: Found, relayed: readonly string[]): Promise<Html> {
  const { texts, asked, answer } = found;
  const limits = unknownOf(found);
  const written = Object.entries(state.formats ?? {}).map(async ([name, { label, write }]) => {
    const { notes } = await write({ asked, lists: answer.lists });
    return html`<tr><th scope="row"><a href="${addressOf(state, texts, `/files/${name}`)}" download>${label}</a></th><td>${notes.join(' ')}</td></tr>`;
  });
  const files = await Promise.all(written);
  return html`<div class="page green-page">
<h1>Files for other programs</h1>
<p class="lead"><a href="${addressOf(state, texts)}">What the panel held</a></p>
${answer.lead.map((words) => html`<p>${phraseView(words)}</p>`)}
${asOfView(found)}
${limits.map(({ sentence }) => html`<p class="warning">${sentence}</p>`)}
${limits.length > 0 ? '' : html`<h2>Files</h2><table class="plain"><thead><tr><th scope="col">For</th><th scope="col">Note</th></tr></thead><tbody>${files}</tbody></table>`}
<h2>For tools that read the catalogue</h2>
${relayed.length === 0 ? html`<p>They can read it here, also as of a day: start <code>watch</code> with <code>--relay-port</code>.</p>` : html`<p>They can read it here, also as of a day, without a limit:</p>${relayed.map((address) => html`<p><code>${address}</code></p>`)}`}
</div>`;
}

/** Asks a question by an address of the page, at the time that it states, and answers by what was found. */
export const askInTime = (
  context: RouteContext,
  question: Question,
  address: string,
  answer: (found: Found, then: RouteContext) => Response | Promise<Response>,
  times: Times = context.times,
): Promise<Response> =>
  context.inTime(
    address,
    async (then) => answer(await askOnPage(question, { address, times }, then), then),
    times,
  );

/**
 * Asks a question by an address of the page.
 * @throws {AddressError} when a part of the address is unknown, or has a value that it does not take
 * @throws {HistoryError | StateError} when what is kept cannot be read
 */
export async function askOnPage(
  question: Question,
  { address, times }: { readonly address: string; readonly times: Times },
  context: RouteContext,
): Promise<Found> {
  const texts = textsIn(new URL(address).searchParams);
  const { catalogue, ...ofOptions } = Object.fromEntries(
    Object.entries(texts).filter(([name]) => !Object.hasOwn(asOfOptions, name)),
  );
  const other = Object.keys(texts).find((option) => question.options[option]?.isFor === 'commands');
  if (other !== undefined)
    throw new AddressError(`“${other}” is for the command; an address does not have it.`);
  const place = { ...(await placeOf(context)), times };
  const found = await ask(question, { texts: ofOptions, catalogue: catalogue?.[0], place }).catch((error) =>
    orAddressError(() => {
      throw error;
    }),
  );
  return { question, texts, times, asOf: context.asOf, ...found };
}

/** The questions in the menu of the page of these catalogues: name, address and words. */
export async function questionMenu(
  catalogues: readonly string[],
): Promise<readonly (readonly [string, string, string])[]> {
  const all = await Promise.all(Object.values(questions).map((load) => load()));
  return all.flatMap(({ question }) =>
    entriesOf(question, catalogues).map(
      ({ name, texts, words }) => [name, addressOf(question, texts), words] as const,
    ),
  );
}

/** The entries of a question in the menu, each under a name of its own: the first under that of the question. */
function entriesOf({ name, menu = [] }: Question, catalogues: readonly string[]) {
  return menu.flatMap(({ words, texts }, at) => {
    const asked = texts ? texts(catalogues) : {};
    return asked === null ? [] : [{ name: at === 0 ? name : `${name} ${words}`, texts: asked, words }];
  });
}

/** The name of the entry whose values were asked: of several, the last; of a part of its values too. */
function currentEntry({ question, texts }: Found, catalogues: readonly string[]): string {
  const partsOf = (of: Texts, option: string) => valuesOf({ splits: true }, of[option] ?? []);
  const isOf = (entry: Texts): boolean =>
    Object.keys(entry).every((option) => {
      const asked = partsOf(texts, option);
      return asked.length > 0 && asked.every((value) => partsOf(entry, option).includes(value));
    });
  return entriesOf(question, catalogues).findLast((entry) => isOf(entry.texts))?.name ?? question.name;
}

/** Where the questions of the page are answered. */
export async function placeOf(context: RouteContext): Promise<Place> {
  const { place, history, pages, followed, states, clock, times, worklist, pairs, asOf } = context;
  return {
    ...{ ...place, history, pages, states, worklist, times },
    ...(pairs && { pairs }),
    ...{ catalogues: await followed(), now: instantOf(clock.now()), asOf },
  };
}

/** Days and times in a file that leaves the page: each time with its zone. */
export const fileTimes = (times: LocalTimes): Times => ({
  ...times,
  moment: (at) => `${times.moment(at)} (${times.zone})`,
});

/** A question that was asked by an address, with its answer. */
interface Found extends Answered {
  readonly asked: Readonly<Record<string, unknown>>;
  readonly texts: Texts;
  readonly asOf: AsOf | undefined;
  readonly isWithheld: boolean;
}

const MOST_OFFERS = 8;

async function questionView(found: Found, then: RouteContext): Promise<Html> {
  const { times, now } = then.moment();
  const names = await then.names();
  const { question, texts, answer, isWithheld } = found;
  const labelOf = (name: string, value: string): string => {
    const field = question.options[name]?.field;
    return field?.kind === 'names' ? names.labelOf(field.of, value) : value;
  };
  const given = Object.entries(texts)
    .filter(([name]) => !Object.hasOwn(asOfOptions, name))
    .map(([name, values]) => values.map((value) => labelOf(name, value)).join(', '));
  const scope = [...(answer.scope ?? given), `as known on ${times.moment(now)}`];
  const unknown = answer.limits.flatMap((limit) => limit.unknown ?? []);
  const offered = unknown.map(({ option, value, statement }) => ({
    filter: option,
    value,
    sentence: statement,
    offers: isNamedFilter(option) ? names.near(option, value, MOST_OFFERS) : [],
  }));
  const notices = unknownNamesView(offered, texts, (change) => addressOf(question, { ...texts, ...change }));
  return html`<div class="page green-page">
<h1>${question.title}</h1>
<p class="lead">${scope.join(' · ')}</p>
<p>${question.about}</p>
${asOfView(found)}
${formOf(found, { labelOf, files: question.formats ? html` <a href="${addressOf(question, texts, '/files')}">More files</a>` : html`` })}
${notices}
${isWithheld ? '' : answerView(found)}
</div>`;
}

/** Says of which time an answer is, with the addresses of the same that also says how much is left out, and of the present. */
export const asOfNotice = (
  { sentence }: Limit,
  { counted, present }: { readonly counted: string | null; readonly present: string },
): Html =>
  html`<p class="notice">${sentence}${counted === null ? '' : html` <a href="${counted}">How much?</a>`} <a href="${present}">As known now</a></p>`;

/** Says that the answer is as of an earlier time, and leads to how much it leaves out, and to the present. */
function asOfView({ question, texts, answer }: Found): Html {
  const { 'as-of': _asOf, 'left-out': leftOut, ...present } = texts;
  const counted = leftOut ? null : addressOf(question, { ...texts, 'left-out': ['yes'] });
  return html`${answer.limits
    .filter(({ kind }) => kind === 'as-of')
    .map((limit) => asOfNotice(limit, { counted, present: addressOf(question, present) }))}`;
}

/** The address of a question, or of a file of it. */
export function addressOf(
  { name, options }: Pick<Question, 'name' | 'options'>,
  texts: Texts,
  extension = '',
): string {
  const parameters = new URLSearchParams();
  for (const option of [...Object.keys({ ...options, ...asOfOptions }), 'catalogue'])
    for (const value of texts[option] ?? []) parameters.append(option, value);
  const text = parameters.toString();
  return `/${name}${extension}${text === '' ? '' : `?${text}`}`;
}

interface FormWords {
  /** How a name is shown. */
  labelOf(option: string, value: string): string;
  /** The ways to have the answer beside the view. */
  readonly files: Html;
}

/** The form of a question, with what is asked; below it the names that are asked for, each with a way to ask without it. */
export function formOf(
  found: Pick<Found, 'texts' | 'asked' | 'asOf' | 'times'> & {
    readonly question: Pick<Question, 'name' | 'options'>;
  },
  { labelOf, files }: FormWords,
): Html {
  const { question, texts, asked } = found;
  const entries = Object.entries<Option<unknown>>({ ...question.options, ...asOfOptions });
  const chips = entries.flatMap(([name, option]) =>
    option.field?.kind === 'names'
      ? valuesOf(option, texts[name] ?? []).map((value) => {
          const rest = valuesOf(option, texts[name] ?? []).filter((each) => each !== value);
          const address = addressOf(question, { ...texts, [name]: rest });
          return html`<li><a href="${address}">${option.field?.label.replace(/s$/, '')}: <b>${labelOf(name, value)}</b><span class="unseen">; remove it</span> <span aria-hidden="true">×</span></a></li>`;
        })
      : [],
  );
  return html`<form action="/${question.name}" method="get" class="inline">
${entries.map(([name, option]) =>
  fieldOf(name, option, {
    values: valuesOf(option, texts[name] ?? []),
    asked: name === 'as-of' ? found.asOf?.at : asked[name],
    times: found.times,
  }),
)}
${(texts.catalogue ?? []).map((each) => html`<input type="hidden" name="catalogue" value="${each}">`)}
<p class="buttons"><button>Show</button> <a href="${addressOf(question, texts, '.csv')}">CSV</a>${files} <button type="button" class="copy" hidden>Copy address</button> <button type="button" class="print" hidden>Print</button> <span id="copied" role="status"></span></p>
</form>
${chips.length === 0 ? '' : html`<ul class="chips" aria-label="Filters that are set">${chips}</ul>`}`;
}

/**
 * The field of an option in a form.
 * @param asked what was read of the values
 */
export function fieldOf(
  name: string,
  { field }: Pick<Option<unknown>, 'field'>,
  {
    values,
    asked,
    times,
  }: { readonly values: readonly string[]; readonly asked: unknown; readonly times: Times },
): Html {
  const [value = ''] = values;
  // What is set and has no field stays set.
  if (field === undefined)
    return html`${values.map((each) => html`<input type="hidden" name="${name}" value="${each}">`)}`;
  const id = `s-${name}`;
  switch (field.kind) {
    case 'names':
      return nameField({ name, label: field.label, given: values, prefix: 's' });
    case 'choice':
      return html`<div class="field"><label for="${id}">${field.label}</label><select id="${id}" name="${name}">${optionsOf(field, value)}</select></div>`;
    case 'flag': {
      const { label, value: set = 'yes' } = field;
      const rest = values.filter((each) => each !== set);
      return html`<label class="choice"><input type="checkbox" name="${name}" value="${set}"${values.includes(set) ? html` checked` : ''}> <span>${label}</span></label>${rest.map((each) => html`<input type="hidden" name="${name}" value="${each}">`)}`;
    }
    case 'text':
      return html`<div class="field"><label for="${id}">${field.label}</label><input id="${id}" name="${name}" value="${values.join(', ')}" placeholder="${field.example}"></div>`;
    case 'day':
      return html`<div class="field"><label for="${id}">${field.label}</label><input id="${id}" name="${name}" type="date" value="${typeof asked === 'bigint' ? times.iso(asked) : value}"></div>`;
    default:
      return field satisfies never;
  }
}

const optionsOf = ({ choices }: Extract<Field, { readonly kind: 'choice' }>, value: string) =>
  Object.entries(choices).map(
    ([word, label], at) =>
      // The first is usual: an address need not say it.
      html`<option value="${at === 0 ? '' : word}"${value === word ? html` selected` : ''}>${label}</option>`,
  );

/** The sentences and lists of an answer. */
export function answerView({ question, answer, times }: Answered): Html {
  const wordsOf = (column: (typeof columns)[number], row: unknown): readonly [Phrase, Phrase] => [
    column.phrase?.(row, times) ?? [],
    column.note?.(row, times) ?? [],
  ];
  const columns = shownColumns({ question, answer });
  const cellOf = (column: (typeof columns)[number], row: unknown, at: number): Html => {
    const [shown, note] = wordsOf(column, row);
    const words = html`${phraseView(shown)}${note.length === 0 ? '' : html` <span class="fine">${phraseView(note)}</span>`}`;
    if (at === 0) return html`<th scope="row">${words}</th>`;
    const style = column.kind === 'time' ? 'when' : (column.kind ?? '');
    return style === '' ? html`<td>${words}</td>` : html`<td class="${style}">${words}</td>`;
  };
  const tableOf = (rows: readonly unknown[]): Html => {
    // A list may have no words for a column that others have.
    const filled = columns.filter((column) => rows.some((row) => wordsOf(column, row).flat().length > 0));
    return html`<table class="plain"><thead><tr>${filled.map(({ heading }) => html`<th scope="col">${heading}</th>`)}</tr></thead><tbody>
${rows.map((row) => html`<tr>${filled.map((column, at) => cellOf(column, row, at))}</tr>\n`)}</tbody></table>`;
  };
  return html`${answer.lead.map((words) => html`<p>${phraseView(words)}</p>`)}
${answer.limits
  .filter(({ kind, unknown }) => kind !== 'as-of' && unknown === undefined)
  .map(({ kind, sentence }) => html`<p class="${kind === 'note' ? 'fine' : 'warning'}">${sentence}</p>`)}
${answer.lists
  .filter(({ rows }) => rows.length > 0)
  .map(
    ({ what, rows }) => html`<h2>${capitalize(what)} <span class="facts">${rows.length}</span></h2>
${tableOf(rows)}`,
  )}`;
}
