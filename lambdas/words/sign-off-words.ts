import type { PanelEvent } from '../events/schemas.ts';
import type { SignOffChange } from '../filters/net-changes.ts';
import { cleanLine } from './clean-text.ts';
import { dayWords, panelName } from './panel-words.ts';
import { namePiece, type Phrase, phrase } from './phrase.ts';
import type { ComparedEntity, SignOffComparison } from './sign-off-comparison.ts';
import { isComing } from './sign-off-lists.ts';

type SignOffEvent = PanelEvent<'panel.signed-off'>;

/**
 * `Hearing loss (R67) 4.20 is signed off: 3 genes more, 1 fewer than in 4.0`; `4.20 is signed off again`; null where the version
 * is unknown.
 */
export function signOffHeadline(
  event: SignOffEvent,
  comparison: SignOffComparison | undefined,
  now: string,
): Phrase | null {
  const {
    signedOff,
    signedOffVersion: version,
    signedOffDate: date,
    previousSignedOffVersion: before,
  } = event.data.change;
  if (!signedOff || version === undefined) return null;
  const { name, codes } = panelName(event.data.panel);
  const from = date !== undefined && isComing(date, now) ? ` from ${dayWords(date)}` : '';
  const start = phrase`${namePiece(name)}${codes} ${cleanLine(version)} is signed off${from}`;
  if (version === before) return phrase`${start} again`;
  const { entered, left, green, filtered } = comparison ?? {};
  const asked = filtered ? ' of those asked for' : '';
  if (green) return phrase`${start}: ${String(green.length)} green ${nounOf(green.length, green)}${asked}`;
  if (!entered || !left || before === undefined) return start;
  const than = cleanLine(before);
  if (entered.length + left.length === 0) return phrase`${start}: the same green genes${asked} as in ${than}`;
  const more = `${entered.length} ${nounOf(entered.length, [...entered, ...left])} more`;
  return phrase`${start}: ${more}, ${String(left.length)} fewer${asked} than in ${than}`;
}

function nounOf(count: number, entities: readonly ComparedEntity[]): string {
  const [one, several] = entities.every(({ entity }) => entity.type === 'gene')
    ? ['gene', 'genes']
    : ['entry', 'entries'];
  return count === 1 ? one : several;
}

/** `version 4.20 signed off from 6 May 2026`, `a version signed off`, `sign-off of version 4.20 withdrawn`: of a period. */
export function signOffChangeWords({ signedOff, version, date }: SignOffChange): string {
  const which = version === null ? 'a version' : `version ${cleanLine(version)}`;
  if (!signedOff) return `sign-off of ${which} withdrawn`;
  return `${which} signed off${date === null ? '' : ` from ${dayWords(date)}`}`;
}

/** `Signed off: version 4.20, on 6 May 2026 (before: 4.0, since 22 March 2023)`. */
export function signOffSentence({ data: { change } }: SignOffEvent, now: string): Phrase {
  const { signedOff, signedOffVersion, signedOffDate, previousSignedOffVersion, previousSignedOffDate } =
    change;
  const version = signedOffVersion ?? change.version;
  const date = signedOffDate ?? change.date;
  const since = previousSignedOffDate === undefined ? '' : `, since ${dayWords(previousSignedOffDate)}`;
  const before =
    previousSignedOffVersion === undefined ? '' : `${cleanLine(previousSignedOffVersion)}${since}`;
  if (!signedOff) {
    return phrase`Withdrawn: ${version || before ? `the signed-off version ${cleanLine(version ?? '') || before}` : 'a signed-off version'}`;
  }
  const day = date === undefined ? '' : `, ${isComing(date, now) ? 'from' : 'on'} ${dayWords(date)}`;
  const what = version === undefined ? 'which version is not stated' : `version ${cleanLine(version)}`;
  return phrase`Signed off: ${what}${day}${before && ` (before: ${before})`}`;
}
