import type { PanelStateStore, VersionKey } from './panel-state-store.ts';
import type { VersionState } from './version-state.ts';

/** A version is compared with the one before it, and both were read or kept just before. */
const MAX_STATES = 2;

/** A store that need not read again the states which it read or kept last. Nothing else may write these meanwhile. */
export function withLastStates(states: PanelStateStore): PanelStateStore {
  let last: readonly VersionState[] = [];
  const isSame = (one: VersionKey, other: VersionKey): boolean =>
    one.panelId === other.panelId && one.version === other.version && one.validFrom === other.validFrom;
  const keep = (state: VersionState): void => {
    last = [...last.filter((one) => !isSame(one, state)), state].slice(-MAX_STATES);
  };
  const forget = (key: VersionKey): void => {
    last = last.filter((one) => !isSame(one, key));
  };
  return {
    ...states,
    async save(state) {
      forget(state);
      await states.save(state);
      keep(state);
    },
    async note(key, change) {
      const known = last.find((one) => isSame(one, key));
      forget(key);
      await states.note(key, change);
      if (known) keep({ ...known, ...change });
    },
    async read(key) {
      const known = last.find((one) => isSame(one, key));
      const state = known ?? (await states.read(key));
      if (state) keep(state);
      return state;
    },
  };
}
