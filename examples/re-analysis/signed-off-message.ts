import type { PanelEvent } from 'gene-panel-notifier/consumer';
import { type EntityDifference, greenDifference, type PanelContents } from 'gene-panel-notifier/impact';
import { type ListMessage, subjectOf } from './list-message.ts';
import type { SignedOffCase } from './signed-off-cases.ts';

interface SignedOffList {
  readonly event: PanelEvent<'panel.signed-off'>;
  readonly cases: readonly SignedOffCase[];
  /** False where the interpretation API gave a case that could not be read. */
  readonly complete: boolean;
  /** The version that is signed off now; null where its state is unknown. */
  readonly now: PanelContents | null;
  /** The version that was signed off before; null where it is unknown, or its state is. */
  readonly before: PanelContents | null;
}

/** Cases in one message: at most some 200 kB, below the 256 KiB of SNS. */
const MOST_CASES = 500;
/** The most names of one line. */
const MOST_NAMES = 20;

/** The list in plain words; none where no case is concerned, several messages for hundreds of cases. */
export function signedOffMessages(list: SignedOffList): readonly ListMessage[] {
  const parts: (readonly SignedOffCase[])[] = [];
  for (let at = 0; at < list.cases.length; at += MOST_CASES)
    parts.push(list.cases.slice(at, at + MOST_CASES));
  return parts.map((cases, index) => messageOf(list, cases, `part ${index + 1} of ${parts.length}`));
}

function messageOf(list: SignedOffList, cases: readonly SignedOffCase[], part: string): ListMessage {
  const { event, cases: all, complete } = list;
  const { panel, change } = event.data;
  const count = all.length === 1 ? '1 case' : `${all.length} cases`;
  const partial = cases.length < all.length ? ` (${part})` : '';
  const codes = (panel.relevantDisorders ?? []).flatMap((text) => /^R\d+(?:\.\d+)?/.exec(text) ?? []);
  const title = `${panel.name}${codes.length > 0 ? ` (${codes.join(', ')})` : ''}`;
  const { signedOffVersion, signedOffDate, previousSignedOffVersion, previousSignedOffDate } = change;
  const previous =
    previousSignedOffVersion === undefined
      ? 'No earlier sign-off is known'
      : `Before: version ${previousSignedOffVersion}${previousSignedOffDate === undefined ? '' : `, from ${previousSignedOffDate}`}`;
  const were = all.length === 1 ? 'case was' : 'cases were';
  const lines = [
    `${title}: version ${signedOffVersion} is signed off${signedOffDate === undefined ? '' : `, from ${signedOffDate}`}. ${previous}.`,
    ...differenceLines(list),
    '',
    `${all.length} ${were} analysed when other genes, STRs or regions were green${partial}:`,
    '',
    ...cases.map(caseLine),
    '',
    ...(complete
      ? []
      : ['Some cases could not be read, so this list may be incomplete. The log names the reason.', '']),
    `Each case is listed once for this version.`,
    `Event ${event.id}`,
  ];
  return {
    subject: subjectOf(`${title} ${signedOffVersion} is signed off: look again at ${count}`, partial),
    text: lines.join('\n'),
  };
}

/** What the sign-off changed, by the archive of the catalogue. */
function differenceLines({ event, now, before }: SignedOffList): readonly string[] {
  const { previousSignedOffVersion: previous } = event.data.change;
  if (previous === undefined) return [];
  if (!now || !before)
    return ['What the sign-off changed is unknown: the catalogue keeps no archive of both versions.'];
  const { entered, left } = greenDifference(before, now);
  if (entered.length + left.length === 0)
    return [`The same genes, STRs and regions are green as in version ${previous}.`];
  return [
    ...(entered.length > 0 ? [`Green now and not in version ${previous}: ${names(entered)}.`] : []),
    ...(left.length > 0 ? [`Green in version ${previous} and not now: ${names(left)}.`] : []),
  ];
}

const names = (changes: readonly EntityDifference[]): string =>
  shortened(changes.map(({ entity }) => entity.name));

const shortened = (all: readonly string[]): string =>
  all.length > MOST_NAMES
    ? `${all.slice(0, MOST_NAMES).join(', ')} and ${all.length - MOST_NAMES} more`
    : all.join(', ');

function caseLine({ name, analysedWith, nowGreen, noLongerGreen, unknown }: SignedOffCase): string {
  const what =
    unknown === null
      ? [
          ...(nowGreen.length > 0 ? [`now green: ${shortened(nowGreen)}`] : []),
          ...(noLongerGreen.length > 0 ? [`no longer green: ${shortened(noLongerGreen)}`] : []),
        ].join('; ')
      : `what changed is unknown: ${unknown}`;
  return `  ${name}: analysed with version ${analysedWith}; ${what}`;
}
