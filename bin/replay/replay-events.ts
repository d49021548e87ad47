import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import type { Rejection } from '../../lambdas/publishing/message.ts';
import { formatInstant, parseInstant } from '../../lambdas/run/instant.ts';
import { counted } from '../../lambdas/words/counted.ts';
import { ReplayError } from './replay-error.ts';

/** Events that are published together. */
const PAGE = 100;

/** An event of the history, and its body as it was published. */
export interface Replayed {
  readonly event: PanelEvent;
  readonly body: string;
}

/** Publishes a page of events; returns those that were refused for their content. */
export type PublishPage = (page: readonly Replayed[]) => Promise<readonly Rejection[]>;

interface ReplayOptions {
  readonly records: AsyncIterable<{ readonly body: string }>;
  /** Where the replay begins, as it was given. */
  readonly since: string | undefined;
  readonly publish: PublishPage;
  readonly onSent: (sent: number) => void;
  readonly signal: AbortSignal;
  /** Whether a failure is one of the target: its message then says how to go on. */
  readonly hasTarget: boolean;
}

interface ReplayResult {
  readonly sent: number;
  readonly refused: readonly Rejection[];
  /** How to go on, where a signal stopped it before the end; null where it reached it. */
  readonly stopped: string | null;
}

/**
 * Publishes events of the history again, page by page, until the end or a signal.
 * @throws {ReplayError} when the target fails; how to go on is in its message
 */
export async function replayEvents(options: ReplayOptions): Promise<ReplayResult> {
  const { records, publish, onSent, signal, hasTarget } = options;
  const refused: Rejection[] = [];
  let sent = 0;
  let goOn = options.since;
  let page: Replayed[] = [];
  const send = async (): Promise<void> => {
    refused.push(...(await publish(page)));
    sent += page.length;
    const last = page.findLast(({ event }) => parseInstant(event.time) !== null);
    if (last) goOn = formatInstant(parseInstant(last.event.time) ?? 0n);
    page = [];
    onSent(sent);
  };
  const rest = (): string =>
    `${counted(sent, 'event')} published; to continue, run the same command with --since ${goOn}; it repeats the events of that instant`;
  try {
    for await (const { body } of records) {
      page.push({ body, event: JSON.parse(body) as PanelEvent });
      if (page.length < PAGE) continue;
      await send();
      if (signal.aborted) return { sent, refused, stopped: rest() };
    }
    if (page.length > 0) await send();
  } catch (cause) {
    if (!(cause instanceof Error) || !hasTarget) throw cause;
    throw new ReplayError(`${cause.message} ${rest()}.`, { cause });
  }
  return { sent, refused, stopped: null };
}
