import type { PanelEvent } from '../../lambdas/events/schemas.ts';

/** An entry of the catalogue's list of signed-off versions. */
export interface ListedSignOff {
  readonly id: number;
  readonly version: string;
  readonly signed_off: string;
}

interface CatalogueNow {
  readonly listed: readonly ListedSignOff[];
  /** Each sign-off that it ever listed, as `126 4.20 2026-05-06`. */
  readonly ever: ReadonlySet<string>;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

type SignOffEvent = PanelEvent<'panel.signed-off'>;

/** A message that says of another version than the catalogue that it counts, or is silent where its own does not. */
export function wrongCounting(
  { data }: SignOffEvent,
  text: string,
  { listed, now, ever }: CatalogueNow,
): string | null {
  const { signedOff, signedOffVersion } = data.change;
  const [, stated] = /hat counts(?: now)? is version (\d+\.\d+)/.exec(text) ?? [];
  const { all, counting } = countingNow(listed, data.panel.id, now);
  if (all.length === 0) return stated === undefined ? null : `nothing is signed off: ${text}`;
  // A list of last sign-offs that shows one of a later day does not show the one that counts until then.
  if (counting.length === 0)
    return stated === undefined || [...ever].some((one) => one.startsWith(`${data.panel.id} ${stated} `))
      ? null
      : text;
  const isRight = (version: string) => counting.some((one) => one.version === version);
  if (stated !== undefined) return isRight(stated) ? null : `${counting[0]?.version} counts: ${text}`;
  if (!signedOff || signedOffVersion === undefined) return null;
  return isRight(signedOffVersion) ? null : `${counting[0]?.version} counts, and nothing says so: ${text}`;
}

/** What the catalogue lists of a panel, and those of it that count today: several where they are of one day. */
export function countingNow(listed: readonly ListedSignOff[], panelId: number | null, now: number) {
  const today = new Date(now).toISOString().slice(0, 10);
  const all = listed.filter(({ id }) => id === panelId);
  const past = all.filter(({ signed_off: day }) => day <= today);
  const lastDay = past
    .map(({ signed_off: day }) => day)
    .sort()
    .at(-1);
  return { all, counting: past.filter(({ signed_off: day }) => day === lastDay) };
}
