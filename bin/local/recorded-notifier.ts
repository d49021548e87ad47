import type { Clock } from '../../lambdas/run/clock.ts';
import { printable } from '../../lambdas/run/printable.ts';
import type { Run, WatchRecord } from '../../page/watcher/watcher-state.ts';
import type { LocalNotifier } from './notifier.ts';

const KEPT = 200;

/** A notifier whose polls and sweeps are recorded, and the record. */
export function recorded(
  notifier: LocalNotifier,
  { clock, every }: { readonly clock: Clock; readonly every: number },
): { readonly notifier: LocalNotifier; readonly record: WatchRecord } {
  const runs: Run[] = [];
  const startedAt = clock.now();
  const record = async <Report>(work: () => Promise<Report>, kind: 'poll' | 'sweep'): Promise<Report> => {
    const [begun, before] = [clock.now(), notifier.requests];
    const note = (outcome: object): void => {
      const at = clock.now();
      runs.unshift({ at, milliseconds: at - begun, requests: notifier.requests - before, ...outcome } as Run);
      runs.length = Math.min(runs.length, KEPT);
    };
    try {
      const report = await work();
      note({ kind, report });
      return report;
    } catch (error) {
      note({
        kind: `failed ${kind}`,
        message: printable(error instanceof Error ? error.message : String(error)),
      });
      throw error;
    }
  };
  return {
    notifier: {
      file: notifier.file,
      messages: notifier.messages,
      close: () => notifier.close(),
      poll: () => record(() => notifier.poll(), 'poll'),
      hasBegun: () => notifier.hasBegun(),
      isSweepDue: () => notifier.isSweepDue(),
      sweep: (accept) => record(() => notifier.sweep(accept), 'sweep'),
      indexWords: () => notifier.indexWords(),
      keepWorklist: () => notifier.keepWorklist(),
      tidy: () => notifier.tidy(),
      prove: (given) => notifier.prove(given),
      compare: () => notifier.compare(),
      proveIfFree: (given) => notifier.proveIfFree(given),
      get requests() {
        return notifier.requests;
      },
    },
    record: {
      startedAt,
      every,
      runs: () => runs,
      get requests() {
        return notifier.requests;
      },
    },
  };
}
