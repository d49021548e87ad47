import { defaultSameChangePercent, defaultShrunkenPercent } from '../../lambdas/functions/sweep/settings.ts';
import { readSignOffs } from '../../lambdas/reconcile/read-sign-offs.ts';
import { sweep } from '../../lambdas/reconcile/sweep.ts';
import type { createReadLog } from '../../lambdas/reconcile/sweep-options.ts';
import { type SweepReport, withSignOffs } from '../../lambdas/reconcile/sweep-report.ts';
import type { LocalNotifierOptions } from './notifier-options.ts';
import type { NotifierParts } from './notifier-parts.ts';

interface SweepOnce
  extends NotifierParts,
    Pick<LocalNotifierOptions, 'shrunkenPercent' | 'sameChangePercent'> {
  readonly readLog: ReturnType<typeof createReadLog>;
  /** Whether a person accepts what the listings show. */
  readonly accept: boolean;
}

/** Reads the listings and the sign-offs once, publishes what the log does not show, and raises the alarms of sweeps. */
export async function sweepOnce(options: SweepOnce): Promise<SweepReport> {
  const { name, catalogue, file, store, documents, history, states, publisher, messages } = options;
  const { clock, log, signal, readLog, accept, shrunkenPercent, sameChangePercent } = options;
  const parts = {
    name,
    catalogue,
    documents,
    history,
    state: store,
    states: states.store,
    publisher,
    clock,
    log,
    readLog,
  };
  try {
    const trust = { sameChangePercent: sameChangePercent ?? defaultSameChangePercent, accept };
    const swept = await sweep({
      ...parts,
      ...trust,
      shrunkenPercent: shrunkenPercent ?? defaultShrunkenPercent,
    });
    const report = withSignOffs(swept, await readSignOffs({ ...parts, ...trust }));
    await messages?.alarms.after({ kind: 'swept', report });
    file.checkpoint();
    return report;
  } catch (error) {
    if (!signal.aborted) await messages?.alarms.after({ kind: 'sweep failed', error });
    throw error;
  }
}
