import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { noticeOfEvent } from '../../lambdas/messages/notice-of-event.ts';
import { everythingKept } from '../../lambdas/messages/privacy.ts';
import { timeWords } from '../../lambdas/messages/time-words.ts';
import { knownOf } from '../../lambdas/notify/known-of-events.ts';
import type { RouteContext } from '../route-context.ts';
import type { OpenEvent } from './event-view.ts';

/**
 * An event with the words of its messages; null where the history has none of that id.
 * @throws {HistoryError} when the history cannot be read
 */
export async function readOpenEvent(
  {
    pages,
    history,
    times,
    clock,
    states,
  }: Pick<RouteContext, 'pages' | 'history' | 'times' | 'clock' | 'states'>,
  id: string,
): Promise<OpenEvent | null> {
  const body = pages.body(id);
  if (body === null) return null;
  const event = JSON.parse(body) as PanelEvent;
  const known = await knownOf([event], {
    history,
    statesOf: states,
    privacy: everythingKept,
    now: clock.now(),
    whenSignedOff: undefined,
  });
  const notice = noticeOfEvent(event, {
    times: timeWords(times.zone),
    now: new Date(clock.now()).toISOString(),
    reason: null,
    ...known,
  });
  return { event, body, notice };
}
