import type { Log } from '../../lambdas/run/log.ts';
import type { StateStore } from '../../lambdas/store/store.ts';

/** The store, where no further chunk is begun once the signal is aborted. */
export function storeUntilStopped<Store extends StateStore>(store: Store, signal: AbortSignal): Store {
  const record: StateStore['record'] = async (position, chunk) => {
    signal.throwIfAborted();
    return store.record(position, chunk);
  };
  return { ...store, record };
}

/** The log, which does not warn of what failed because it was stopped. */
export function logUntilStopped(log: Log, signal: AbortSignal): Log {
  const warn: Log['warn'] = (message, fields) => {
    if (!signal.aborted) log.warn(message, fields);
  };
  return { ...log, warn };
}
