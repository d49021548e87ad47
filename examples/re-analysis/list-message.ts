import type { PanelEvent } from 'gene-panel-notifier/consumer';
import type { OutdatedCase } from './outdated-cases.ts';

interface CaseList {
  readonly event: PanelEvent<'entity.classified'>;
  readonly cases: readonly OutdatedCase[];
  /** False where the interpretation API gave a case that could not be read. */
  readonly complete: boolean;
  /** The readers' time zone, such as `Europe/London`. */
  readonly zone: string;
}

/** A list of cases as it is sent. */
export interface ListMessage {
  /** At most 99 characters of ASCII, as SNS wants it. */
  readonly subject: string;
  readonly text: string;
}

/** Cases in one message: some 100 kB, below the 256 KiB of SNS. */
const MOST_CASES = 2000;

/** The list in plain words, for a clinical scientist; one message, or several for thousands of cases. */
export function listMessages(list: CaseList): readonly ListMessage[] {
  const parts: (readonly OutdatedCase[])[] = [];
  for (let at = 0; at < list.cases.length; at += MOST_CASES) {
    parts.push(list.cases.slice(at, at + MOST_CASES));
  }
  return parts.map((cases, index) => messageOf(list, cases, `part ${index + 1} of ${parts.length}`));
}

function messageOf(
  { event, cases: all, complete, zone }: CaseList,
  cases: readonly OutdatedCase[],
  part: string,
): ListMessage {
  const { panel, entity, change } = event.data;
  const count = all.length === 1 ? '1 case' : `${all.length} cases`;
  const partial = cases.length < all.length ? ` (${part})` : '';
  const codes = (panel.relevantDisorders ?? []).flatMap((text) => /^R\d+(?:\.\d+)?/.exec(text) ?? []);
  const before =
    change.from === null
      ? 'its earlier rating is unknown, so it may have been green before'
      : `it was ${change.from === 'none' ? 'unrated' : change.from} before`;
  const were = all.length === 1 ? 'case was' : 'cases were';
  const lines = [
    `${entity.name} is green on ${panel.name}${codes.length > 0 ? ` (${codes.join(', ')})` : ''}; ${before}.`,
    ...(panel.version === null
      ? []
      : [`This is version ${panel.version} of the panel. ${signedOffWords(panel)}`]),
    ...(event.time === undefined ? [] : [`Rated on ${dateIn(zone, event.time)}.`]),
    '',
    `${all.length} ${were} analysed with an older version of this panel, or with a super panel that holds it${partial}:`,
    '',
    ...cases.map(({ name, analysedWith }) => `  ${name}: analysed with version ${analysedWith}`),
    '',
    ...(complete
      ? []
      : ['Some cases could not be read, so this list may be incomplete. The log names the reason.', '']),
    `Each case is listed once for ${entity.name} on this panel.`,
    `Event ${event.id}`,
  ];
  return {
    subject: subjectOf(`${entity.name} is green: look again at ${count}`, partial),
    text: lines.join('\n'),
  };
}

/** The version of an event is hardly ever the one that is signed off. */
function signedOffWords({ signedOffVersion, signedOffDate }: CaseList['event']['data']['panel']): string {
  const which =
    signedOffVersion === undefined || signedOffDate === undefined
      ? 'The panel has a signed-off version'
      : `Version ${signedOffVersion} is signed off, from ${signedOffDate}`;
  return `${which}; this change may not be in it.`;
}

/** A subject as SNS takes it; the suffix stays. */
export function subjectOf(text: string, suffix: string): string {
  const plain = text.replaceAll(/[^ -~]/g, '?');
  return `${plain.slice(0, 99 - suffix.length)}${suffix}`;
}

/** `21 November 2026, 09:14 (Europe/London)` */
function dateIn(zone: string, time: string): string {
  const options = { timeZone: zone, hourCycle: 'h23' } as const;
  const date = new Intl.DateTimeFormat('en-GB', { ...options, dateStyle: 'long' }).format(new Date(time));
  const clock = new Intl.DateTimeFormat('en-GB', { ...options, timeStyle: 'short' }).format(new Date(time));
  return `${date}, ${clock} (${zone})`;
}
