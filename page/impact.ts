import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Hono } from 'hono';
import { ask } from '../lambdas/questions/ask.ts';
import { type Answered, csv } from '../lambdas/questions/documents.ts';
import { CasesError, fieldNames } from '../lambdas/questions/impact/case-of.ts';
import type { AnalysedCase } from '../lambdas/questions/impact/impact.ts';
import { type CaseInput, formatOf, recogniseCases } from '../lambdas/questions/impact/read-cases.ts';
import { question } from '../lambdas/questions/impact.ts';
import { OptionError } from '../lambdas/questions/options.ts';
import { limitsOf, type Place } from '../lambdas/questions/question.ts';
import { aheadOfUtc } from '../lambdas/run/instant.ts';
import { type Html, html } from './html.ts';
import { answerView, fieldOf, fileTimes, placeOf } from './questions.ts';
import { addressErrorOf, csvResponse } from './read-address.ts';
import type { RouteContext } from './route-context.ts';

/** The address of the form for cases, and of its answer. */
export const IMPACT_PATH = '/impact';

/** The most bytes of a file of cases with its form: it is held in memory while it is answered. */
export const LARGEST_UPLOAD = 16_000_000;

/** The most lines of a file of cases. The command `impact` takes millions. */
export const MOST_LINES = 200_000;

const LINES_PER_TURN = 1_000;

/** More rows of a list would make a view that no person reads to its end. */
const MOST_ROWS = 1_000;

const answerForms: Readonly<Record<string, string>> = {
  change: 'on this page, by change',
  case: 'on this page, by case',
  'change.csv': 'as CSV, a line for each change',
  'case.csv': 'as CSV, a line for each change of each case',
};

/** The options that the form has as they are declared; what is shown is one choice there. */
const formOptions = ['counts', 'without-inheritance', 'date-format'] as const;

/**
 * Which cases of a file the changes of panels concern. The file is in memory until the answer is sent. Nothing of it is
 * stored, logged or noted in the audit log, and messages name its lines alone.
 */
export function addImpactRoutes(app: Hono, context: RouteContext): void {
  const { clock, times } = context;

  const page = async (answer: Html | null, code: number): Promise<Response> =>
    context.answer(
      {
        title: 'Cases',
        current: 'impact',
        main: html`<div class="page">
<h1>Which of your cases do changes of panels concern?</h1>
<p class="lead">Each case is compared with what counts now on the panels that it was analysed with.</p>
${answer ?? ''}
${answer ? html`<h2 class="screen-only">Ask again</h2>` : ''}
${impactForm(context, await context.followed())}
</div>`,
        bodyClass: 'printable',
        ...(answer && { skips: [['#answer', 'Skip to the answer']] }),
      },
      code,
    );
  const refused = (sentence: string): Promise<Response> =>
    page(
      html`<div class="warning" role="alert"><h2 id="answer">Nothing was compared</h2><p>${sentence}</p></div>`,
      400,
    );

  app.get(IMPACT_PATH, () => page(null, 200));

  app.post(IMPACT_PATH, async ({ req }) => {
    const form = await req.parseBody();
    const { cases: file, catalogue = '' } = form;
    const as = form.as === '' ? 'change' : String(form.as);
    if (!(file instanceof File) || file.size === 0 || !Object.hasOwn(answerForms, as))
      return refused('Choose a file that is not empty, and one of the offered answers.');
    const catalogues = await context.followed();
    const named = catalogue === '' && catalogues.length === 1 ? catalogues[0] : catalogue;
    if (typeof named !== 'string' || !catalogues.includes(named))
      return refused('Choose one of the catalogues that this page has.');
    try {
      return await answerOf(file, form, { as, catalogue: named });
    } catch (error) {
      if (error instanceof CasesError) return refused(error.message);
      if (error instanceof OptionError)
        return refused(error.option === 'cases' ? 'The file holds no case.' : addressErrorOf(error).message);
      throw error;
    }
  });

  async function answerOf(
    file: File,
    form: Form,
    { as, catalogue }: { readonly as: string; readonly catalogue: string },
  ): Promise<Response> {
    const [by = '', isFile] = as.split('.');
    const place = { ...(await placeOf(context)), ...(isFile && { times: fileTimes(times) }) };
    const texts = Object.fromEntries(
      formOptions.map((name) => [name, [form[name] ?? ''].flat().map(String)]),
    );
    const asked = async (write: NonNullable<Place['write']>): Promise<Answered> => {
      const openCases: Place['openCases'] = async ({ form: stated }) => {
        const columns = columnsOf(form);
        const { sentence, read } = await recogniseCases({
          ...{ name: 'the file', format: formatOf(file.name), open: () => Readable.from(chunksOf(file)) },
          form: { ...stated, columns, zone: aheadOfUtc(times.zone) },
        } satisfies CaseInput);
        return { sentence, read: () => inTurns(read()), line: 'line', incomplete: null };
      };
      const asking = { texts: { ...texts, cases: ['the file'], by: [by] }, catalogue };
      const { answer } = await ask(question, { ...asking, place: { ...place, openCases, write } });
      return { question, answer, times: place.times };
    };
    if (isFile) return csvResponse(await linesAsWritten(asked), `cases-${times.iso(clock.now())}`);
    const shown = await shortened(asked);
    return page(
      html`<h2 id="answer">Answer</h2>
${answerView(shown)}
<p class="buttons"><button type="button" class="print" hidden>Print</button></p>`,
      200,
    );
  }
}

type Form = Readonly<Record<string, unknown>>;
type Asking = (write: NonNullable<Place['write']>) => Promise<Answered>;

async function shortened(asking: Asking): Promise<Answered> {
  const written: unknown[] = [];
  let others = 0;
  const { answer, ...answered } = await asking(async (rows) => {
    const room = MOST_ROWS - written.length;
    written.push(...rows.slice(0, room));
    others += Math.max(0, rows.length - room);
  });
  const lists = answer.lists.map(({ what, rows }, at) => {
    const all = at === 0 ? [...written, ...rows] : rows;
    others += Math.max(0, all.length - MOST_ROWS);
    return { what, rows: all.slice(0, MOST_ROWS) };
  });
  const sentence = `The first ${MOST_ROWS.toLocaleString('en-GB')} of each kind are shown; the CSV has the ${others.toLocaleString('en-GB')} others.`;
  const cut = limitsOf('note', others === 0 ? '' : sentence);
  return { ...answered, answer: { ...answer, lists, limits: [...answer.limits, ...cut] } };
}

/** The lines of a file as they are made, so that they are never all in memory. @throws what is wrong before the first one is */
async function linesAsWritten(asking: Asking): Promise<AsyncIterable<string>> {
  const { readable, writable } = new TransformStream<string, string>();
  const writer = writable.getWriter();
  const { head, lines } = csv(question);
  const begun = Promise.withResolvers<void>();
  const whole = asking(async (rows) => {
    begun.resolve();
    await writer.write(lines([{ what: '', rows }]));
  });
  void writer.write(head).catch(() => {});
  const written = whole.then(async ({ answer: { lists } }) => {
    begun.resolve();
    await writer.write(lines(lists));
    await writer.close();
  });
  written.catch((error: unknown) => {
    begun.reject(error);
    return writer.abort(error);
  });
  await begun.promise;
  return readable;
}

const columnsOf = (form: Form) =>
  Object.fromEntries(
    fieldNames.flatMap((field) => {
      const heading = form[`column-${field}`];
      return typeof heading === 'string' && heading.trim() !== '' ? [[field, heading.trim()]] : [];
    }),
  );

/** Cases, read so that other requests go on meanwhile. @throws {CasesError} when they have too many lines */
async function* inTurns(cases: AsyncIterable<AnalysedCase>): AsyncIterable<AnalysedCase> {
  let count = 0;
  for await (const line of cases) {
    count += 1;
    if (count > MOST_LINES)
      throw new CasesError(
        `The file has more than ${MOST_LINES.toLocaleString('en-GB')} lines. Split it, or use the command impact.`,
      );
    if (count % LINES_PER_TURN === 0) await nextTurn();
    yield line;
  }
}

async function* chunksOf(file: Blob): AsyncIterable<Buffer> {
  for await (const chunk of file.stream()) yield Buffer.from(chunk);
}

function impactForm(
  { visitor, times, largestUpload = LARGEST_UPLOAD }: RouteContext,
  catalogues: readonly string[],
): Html {
  const { formToken } = visitor();
  const blank = { values: [], asked: undefined, times };
  const declared = (name: (typeof formOptions)[number]): Html =>
    fieldOf(name, question.options[name] ?? {}, blank);
  const choiceOf = (name: string, label: string, choices: Readonly<Record<string, string>>): Html =>
    fieldOf(name, { field: { kind: 'choice', label, choices } }, blank);
  return html`<form action="${IMPACT_PATH}" method="post" enctype="multipart/form-data" class="upload">
<input type="hidden" name="token" value="${formToken}">
<p class="field"><label for="i-cases">File of cases</label><input id="i-cases" type="file" name="cases" accept=".csv,.tsv,.txt,.ndjson,.jsonl" required aria-describedby="i-note"></p>
<p class="fine" id="i-note">CSV with headings, or one JSON object a line (.ndjson): case, panel, and the version, the day of the analysis, or both. At most ${MOST_LINES.toLocaleString('en-GB')} lines and ${largestUpload / 1_000_000} MB. The file is read in memory, for this answer alone: nothing of it is kept.</p>
${catalogues.length < 2 ? '' : choiceOf('catalogue', 'Catalogue', { '': '', ...Object.fromEntries(catalogues.map((name) => [name, name])) })}
${declared('counts')}
${declared('without-inheritance')}
${choiceOf('as', 'Show the answer', answerForms)}
<details><summary>Other headings, or days that can be read in two ways</summary>
${declared('date-format')}
${fieldNames.map((field) => html`<p class="field"><label for="i-column-${field}">Heading of the ${field}</label><input id="i-column-${field}" name="column-${field}" autocomplete="off" spellcheck="false"></p>`)}
</details>
<p class="buttons"><button>Compare</button></p>
</form>`;
}
