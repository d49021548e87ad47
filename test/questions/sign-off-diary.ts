import type { createCatalogue } from '../../lambdas/catalogue/client.ts';
import type { Clock } from '../../lambdas/run/clock.ts';

/** What the years must have had: each is counted. */
export interface Occasions {
  /** Panels that were renamed between two of their sign-offs. */
  renamedBetween: number;
  /** Panels that were signed off twice on a day. */
  twiceInADay: number;
  /** Panels whose last two sign-offs are of one day. */
  lastDayTwice: number;
  ofOlderVersion: number;
  ofLaterDay: number;
  removed: number;
  removedAndMadeAgain: number;
}

/** Remembers what was done to the panels of a catalogue, and how they were called. */
interface SignOffDiary {
  /** Notes an action that has just been taken on a panel. */
  write(kind: string, panelId: number): Promise<void>;
  /** The name of a panel at a time in ISO 8601; null while the catalogue did not show it. */
  nameAt(panelId: number, time: string): string | null;
  occasions(): Occasions;
}

interface Entry {
  readonly kind: string;
  readonly panelId: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Begins with the names that the panels have now. */
export async function openDiary(
  client: Pick<ReturnType<typeof createCatalogue>, 'panels'>,
  clock: Pick<Clock, 'now'>,
): Promise<SignOffDiary> {
  const entries: Entry[] = [];
  const names = new Map<number, { readonly name: string | null; readonly at: number }[]>();
  const readNames = async (): Promise<void> => {
    const shown = new Map((await client.panels()).map(({ id, name }) => [id, name]));
    for (const id of new Set([...names.keys(), ...shown.keys()])) {
      const name = shown.get(id) ?? null;
      const known = names.get(id) ?? [];
      if (known.at(-1)?.name === name) continue;
      names.set(id, [...known, { name, at: known.length === 0 ? 0 : clock.now() }]);
    }
  };
  await readNames();
  const isSignOff = ({ kind }: Entry): boolean => kind.startsWith('sign off');
  const isRemoval = ({ kind }: Entry): boolean => kind === 'remove the sign-off';
  const dayOf = ({ at }: Entry): string => new Date(at).toISOString().slice(0, 10);
  return {
    async write(kind, panelId) {
      entries.push({ kind, panelId, at: clock.now() });
      await readNames();
    },
    nameAt(panelId, time) {
      // The rows of an action are dated up to half a second before it.
      const at = Date.parse(time) + 1_000;
      return names.get(panelId)?.findLast((one) => one.at <= at)?.name ?? null;
    },
    occasions() {
      const count = (test: (own: readonly Entry[], id: number) => boolean): number =>
        [...Map.groupBy(entries, ({ panelId }) => panelId)].filter(([id, own]) => test(own, id)).length;
      const days = (own: readonly Entry[]): readonly string[] => own.filter(isSignOff).map(dayOf);
      const times = (kind: string): number => entries.filter((one) => one.kind === kind).length;
      return {
        renamedBetween: count((own, id) => {
          const signed = own.filter(isSignOff).map(({ at }) => at);
          const [first = 0, last = 0] = [Math.min(...signed), Math.max(...signed)];
          return (names.get(id) ?? []).some(({ name, at }) => name !== null && at > first && at < last);
        }),
        twiceInADay: count((own) => new Set(days(own)).size < days(own).length),
        lastDayTwice: count((own) => days(own).length > 1 && days(own).at(-1) === days(own).at(-2)),
        ofOlderVersion: times('sign off an older version'),
        ofLaterDay: times('sign off for a later day'),
        removed: times('remove the sign-off'),
        removedAndMadeAgain: count((own) => {
          const removed = own.findIndex(isRemoval);
          return removed >= 0 && own.slice(removed).some(isSignOff) && own.slice(0, removed).some(isSignOff);
        }),
      };
    },
  };
}
