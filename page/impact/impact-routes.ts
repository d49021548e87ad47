import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Hono } from 'hono';
import { csv } from '../../lambdas/questions/documents.ts';
import type { AnalysedCase } from '../../lambdas/questions/impact/analysis.ts';
import { CasesError } from '../../lambdas/questions/impact/cases-error.ts';
import { impactOf } from '../../lambdas/questions/impact/impact.ts';
import { countsWords } from '../../lambdas/questions/impact/impact-words.ts';
import { type CaseInput, recogniseCases } from '../../lambdas/questions/impact/read-cases.ts';
import { panelsUnread, statesOfCases } from '../../lambdas/questions/impact/states-of-cases.ts';
import { caseRows, changeLists, question } from '../../lambdas/questions/impact.ts';
import { aheadOfUtc } from '../../lambdas/run/time-zone.ts';
import { unreadEnd } from '../../lambdas/store/history/unread-end.ts';
import { csvResponse } from '../frame/csv-response.ts';
import { type Html, html } from '../frame/html.ts';
import type { RouteContext } from '../route-context.ts';
import { keptStates } from '../route-context.ts';
import { IMPACT_PATH, type ImpactQuestion, MOST_LINES, readImpactQuestion } from './impact-question.ts';
import { caseEffectsOf, impactForm, impactView } from './impact-view.ts';

/** Lines that are compared in one turn of the event loop. */
const LINES_PER_TURN = 1_000;

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
${impactForm(context.visitor(), await context.followed())}
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
    const asked = readImpactQuestion(await req.parseBody());
    if (!asked) return refused('Choose a file that is not empty, and one of the offered answers.');
    const [only, ...others] = await context.followed();
    const catalogue = asked.catalogue === '' && others.length === 0 ? only : asked.catalogue;
    if (catalogue === undefined || ![only, ...others].includes(catalogue))
      return refused('Choose one of the catalogues that this page has.');
    try {
      return await answerOf(asked, catalogue);
    } catch (error) {
      if (error instanceof CasesError) return refused(error.message);
      throw error;
    }
  });

  async function answerOf(asked: ImpactQuestion, catalogue: string): Promise<Response> {
    const recognised = await recogniseCases(inputOf(asked, times.zone));
    const cases = () => inTurns(recognised.read());
    const of = keptStates(context, catalogue);
    const impact = await impactOf(cases(), statesOfCases(of, asked.counts), asked);
    if (impact.cases === 0) return refused('The file holds no case.');
    const name = `cases-${times.day(clock.now())}`;
    const heading = {
      at: `${times.moment(clock.now())} (${times.zone})`,
      counts: countsWords[asked.counts],
      line: 'line',
      form: recognised.sentence,
      unread: [
        ...unreadEnd(await context.readParts({ catalogue }), (at) => times.moment(Number(at / 1000n))),
        ...(impact.withUnknown > 0 ? await panelsUnread(of) : []),
      ],
    } as const;
    const shown = { impact, heading, catalogue };
    switch (asked.as) {
      case 'change':
        return page(impactView({ ...shown, byCase: null }), 200);
      case 'case':
        return page(impactView({ ...shown, byCase: await caseEffectsOf(impact, cases()) }), 200);
      case 'change.csv':
        return csvResponse(
          [
            csv(question).head,
            csv(question).lines(changeLists(impact, { of, counts: asked.counts, line: 'line' })),
          ],
          name,
        );
      case 'case.csv':
        return csvResponse(linesOf(caseRows(impact, cases())), name);
      default:
        return asked.as satisfies never;
    }
  }
}

async function* linesOf(rows: ReturnType<typeof caseRows>): AsyncIterable<string> {
  const { head, lines } = csv(question);
  yield head;
  for await (const row of rows) yield lines([{ what: '', rows: [row] }]);
}

/** @param zone of times that state none: the reader's */
const inputOf = ({ file, format, form }: ImpactQuestion, zone: string): CaseInput => ({
  name: 'the file',
  format,
  form: { ...form, zone: aheadOfUtc(zone) },
  open: () => Readable.from(chunksOf(file)),
});

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
