import { createHash } from 'node:crypto';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { knownOf } from '../../lambdas/notify/compare-sign-off.ts';
import { mailHtml } from '../../lambdas/words/mail-html.ts';
import type { Notice } from '../../lambdas/words/notice.ts';
import { noticeOfEvent } from '../../lambdas/words/notice-of-event.ts';
import { everythingKept } from '../../lambdas/words/privacy.ts';
import { timeWords } from '../../lambdas/words/time-words.ts';
import type { RouteContext } from '../route-context.ts';
import type { OpenEvent } from './event-view.ts';

/** One event as it was published, or the mail about it; null where there is none, or no such form. */
export async function answerEvent(context: RouteContext, id: string, form: string): Promise<Response | null> {
  const open = form === 'json' || form === 'mail' ? await readOpenEvent(context, id) : null;
  if (!open) return null;
  if (form === 'mail') return mailResponse(open.notice);
  return new Response(open.body, { headers: { 'content-type': 'application/json; charset=utf-8' } });
}

/** The mail as a page of its own, which a frame shows: its one style sheet is allowed by its digest. */
function mailResponse(notice: Notice): Response {
  const body = mailHtml(notice);
  const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(body) ?? [];
  const digest = createHash('sha256').update(style).digest('base64');
  return new Response(body, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-popups`,
    },
  });
}

/**
 * Events with the words of their messages, by id; without those that the history does not have.
 * @throws {HistoryError} when the history cannot be read
 */
export async function readOpenEvents(
  {
    pages,
    history,
    times,
    clock,
    states,
  }: Pick<RouteContext, 'pages' | 'history' | 'times' | 'clock' | 'states'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, OpenEvent>> {
  const found = [...new Set(ids)].flatMap((id) => {
    const body = pages.body(id);
    return body === null ? [] : [{ id, body, event: JSON.parse(body) as PanelEvent }];
  });
  const known = await knownOf(
    found.map(({ event }) => event),
    {
      history,
      statesOf: states,
      privacy: everythingKept,
      now: clock.now(),
      whenSignedOff: undefined,
    },
  );
  const context = {
    times: timeWords(times.zone),
    now: new Date(clock.now()).toISOString(),
    reason: null,
    ...known,
  };
  return new Map(
    found.map(({ id, body, event }) => {
      const notice = noticeOfEvent(event, context);
      return [id, { event, body, notice, correction: pages.correctionOf(id) }];
    }),
  );
}

/** One of them; null where the history does not have it. */
export const readOpenEvent = async (
  context: Parameters<typeof readOpenEvents>[0],
  id: string,
): Promise<OpenEvent | null> => (await readOpenEvents(context, [id])).get(id) ?? null;
