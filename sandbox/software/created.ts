/** The time zone of `created`: `utc` (`…Z`) or `sydney`, with the offset of the season (`+10:00`, `+11:00`). */
export type Zone = 'utc' | 'sydney';

/** Renders microseconds since the epoch as `created`: with six digits, or none where the microseconds are zero. */
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

/** The offset of Sydney from UTC at that time, in minutes. */
function sydneyOffset(millis: number): number {
  const name = sydney.formatToParts(millis).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, hours, minutes] = /GMT\+(\d{2}):(\d{2})/.exec(name) ?? [];
  if (hours === undefined)
    throw new Error(`Node gives no offset for Sydney (it gives "${name}"); it needs full ICU data`);
  return Number(hours) * 60 + Number(minutes);
}

/**
 * Parses a `created` (date, time, up to six digits, `Z` or an offset) into microseconds since the epoch. Returns undefined
 * for any other text.
 */
export function parseCreated(created: string): number | undefined {
  const match = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,6}))?(Z|[+-]\d{2}:\d{2})$/.exec(created);
  if (!match) return undefined;
  const [, seconds, fraction = '', zone] = match;
  const millis = Date.parse(`${seconds}${zone}`);
  return Number.isNaN(millis) ? undefined : millis * 1000 + Number(fraction.padEnd(6, '0'));
}
