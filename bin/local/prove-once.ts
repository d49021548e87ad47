import { askAgain } from '../../lambdas/panels/archive-record.ts';
import type { ProofOptions, ProofReport } from '../../lambdas/reconcile/proof-options.ts';
import { provePanels } from '../../lambdas/reconcile/prove-panels.ts';
import type { createReadLog } from '../../lambdas/reconcile/sweep-options.ts';
import type { LocalNotifierOptions } from './notifier-options.ts';
import type { NotifierParts } from './notifier-parts.ts';

/** How long to read and prove states, and which. */
export interface ProvingTime extends Pick<ProofOptions, 'onProgress' | 'onSignedOffProgress' | 'fromStart'> {
  /** Milliseconds since the epoch after which nothing is asked. */
  readonly deadline?: number;
  /** Whether states are asked for also where the catalogue served none of late: a person wants them. */
  readonly asksAgain?: boolean;
}

interface ProveOnce extends NotifierParts, Pick<LocalNotifierOptions, 'overlap' | 'followed'> {
  readonly readLog: ReturnType<typeof createReadLog>;
}

/** Reads what panels hold, proves the versions that began since, and raises the alarms of proofs. */
export async function proveOnce(
  options: ProveOnce,
  { deadline, asksAgain, ...given }: ProvingTime,
): Promise<ProofReport> {
  const { name, catalogue, store, documents, history, states, publisher, messages } = options;
  const { clock, log, signal, readLog, overlap, followed } = options;
  try {
    if (asksAgain) await askAgain(documents);
    const report = await provePanels({
      name,
      url: catalogue.url,
      archive: states.archive(deadline),
      states: states.store,
      documents,
      history,
      state: store,
      publisher,
      clock,
      log,
      readLog: () => readLog(null),
      overlap,
      signal,
      ...(followed && { first: followed }),
      ...given,
    });
    await messages?.alarms.after({ kind: 'proved', report });
    return report;
  } catch (error) {
    if (!signal.aborted) await messages?.alarms.after({ kind: 'proof failed', error });
    throw error;
  }
}
