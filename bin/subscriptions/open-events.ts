import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import type { PanelStateStore } from '../../lambdas/panels/panel-state-store.ts';
import { instantOf } from '../../lambdas/run/instant.ts';
import type { History } from '../../lambdas/store/history/history.ts';
import { createSqliteHistory } from '../../lambdas/store/history/sqlite.ts';
import type { NamedPlace } from '../../lambdas/store/history/unknown-names.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { type Io, UsageError } from '../command.ts';
import { openHistory } from '../history-options.ts';
import { InputError, readInput } from '../input.ts';

/** Events that a subscription is tried with, and what is known beside them. */
export interface OpenEvents extends NamedPlace {
  readonly history: NamedPlace['history'] & Pick<History, 'find'>;
  /** What panels hold, by catalogue, where the history is on this machine. */
  readonly statesOf?: ((catalogue: string) => PanelStateStore) | undefined;
  close(): void;
}

interface EventPlace {
  readonly events?: string | undefined;
  readonly state?: string | undefined;
  readonly stage?: string | undefined;
  readonly config: string;
}

/**
 * The events of a file, else of a local history, else of the deployed stage.
 *
 * @throws {UsageError | InputError} when the place is ambiguous, or the file holds something else
 */
export async function openEvents({ events, state, stage, config }: EventPlace, io: Io): Promise<OpenEvents> {
  if (events === undefined) {
    return openHistory(stage === undefined || state !== undefined ? { state } : { stage, config }, io);
  }
  if (state !== undefined)
    throw new UsageError('--events and --state name different places; give one of them');
  const file = openStateFile();
  const history = createSqliteHistory(file);
  const { name, text } = await readInput(events, io);
  const records = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((body, place) => {
      const event = parsed(body);
      if (event === null)
        throw new InputError(
          `Reading ${name}: line ${place + 1} is not an event. Expected the output of poll or classify.`,
        );
      return { id: event.id, topic: 'classifications' as const, body };
    });
  const period = { since: instantOf(Date.UTC(2000, 0, 1)), until: instantOf(io.clock.now()) };
  await history.append(records, { catalogue: 'file', ...period });
  return { history, isLocal: true, listings: async () => [], close: () => file.close() };
}

function parsed(body: string): PanelEvent | null {
  try {
    const event: unknown = JSON.parse(body);
    return typeof event === 'object' && event !== null && 'specversion' in event && 'id' in event
      ? (event as PanelEvent)
      : null;
  } catch {
    return null;
  }
}
