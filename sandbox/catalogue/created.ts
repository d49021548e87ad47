/** How a server prints times: `utc` as `…Z`, `sydney` with the offset of the season (`+10:00`, `+11:00`). */
export type Zone = 'utc' | 'sydney';

/**
 * The `created` of a row from microseconds since the epoch: six digits, and none where the microseconds are
 * zero.
 */
export function renderCreated(micros: number, zone: Zone): string {
  const millis = Math.floor(micros / 1_000_000) * 1000;
  const fraction = micros % 1_000_000;
  const offset = zone === 'utc' ? 0 : sydneyOffset(millis);
  const wall = new Date(millis + offset * 60_000).toISOString().slice(0, 19);
  const digits = fraction === 0 ? '' : `.${String(fraction).padStart(6, '0')}`;
  return `${wall}${digits}${zone === 'utc' ? 'Z' : offsetText(offset)}`;
}

function offsetText(minutes: number): string {
  return `+${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}

const sydney = new Intl.DateTimeFormat('en-AU', { timeZone: 'Australia/Sydney', timeZoneName: 'longOffset' });

/** Minutes that Sydney's clocks are ahead of UTC at that time. */
function sydneyOffset(millis: number): number {
  const name = sydney.formatToParts(millis).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, hours, minutes] = /GMT\+(\d{2}):(\d{2})/.exec(name) ?? [];
  if (hours === undefined) throw new Error(`this Node knows no offset of Sydney (it says "${name}")`);
  return Number(hours) * 60 + Number(minutes);
}

/**
 * Microseconds since the epoch of a `created`, or undefined where the text is no time: a date, a time, up to
 * six digits, and `Z` or an offset.
 */
export function parseCreated(created: string): number | undefined {
  const match = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,6}))?(Z|[+-]\d{2}:\d{2})$/.exec(created);
  if (!match) return undefined;
  const [, seconds, fraction = '', zone] = match;
  const millis = Date.parse(`${seconds}${zone}`);
  return Number.isNaN(millis) ? undefined : millis * 1000 + Number(fraction.padEnd(6, '0'));
}
