import type { PanelEvent } from '../events/schemas.ts';
import { cleanLine } from './clean-text.ts';
import type { MessageContext } from './message-context.ts';
import type { Tone } from './notice.ts';
import type { ComparedEntity, SignOffComparison } from './sign-off-comparison.ts';

type SignOffEvent = PanelEvent<'panel.signed-off'>;

/** Whether an event says that a version was signed off, or a sign-off withdrawn. */
export const isSignOff = (event: PanelEvent): event is SignOffEvent =>
  event.type === 'gene-panel.panel.signed-off.v1';

/**
 * Events without sign-offs whose version no row stated, where a later one, found by the list of signed-off versions, states it.
 */
export function withoutCompleted(events: readonly PanelEvent[]): readonly PanelEvent[] {
  const last = events.findLastIndex(
    (event) => isSignOff(event) && event.data.change.via === 'snapshot' && event.data.change.signedOff,
  );
  return events.filter(
    (event, place) =>
      place >= last ||
      !isSignOff(event) ||
      !event.data.change.signedOff ||
      event.data.change.signedOffVersion !== undefined,
  );
}

/** A list of a sign-off's message. */
export interface ComparedList {
  /** @param version `the signed-off version`, or `version 4.20` */
  readonly title: (version: string) => string;
  readonly tone: Tone;
  readonly of: (comparison: SignOffComparison) => readonly ComparedEntity[] | null;
  /** The version of the panel that a line of the file is about. */
  readonly version: (comparison: SignOffComparison, signedOff: string | undefined) => string | null;
  /** What a row says: the ratings before and after, or the one rating that all have. */
  readonly rows: 'change' | 'rating';
}

const ofSignOff: ComparedList['version'] = (_comparison, signedOff) => signedOff ?? null;

/** The lists of a sign-off's message, in their order. */
export const signOffLists: readonly ComparedList[] = [
  {
    title: (version) => `Now green in ${version}`,
    tone: 'green',
    of: ({ entered }) => entered,
    version: ofSignOff,
    rows: 'change',
  },
  {
    title: (version) => `No longer green in ${version}`,
    tone: 'red',
    of: ({ left }) => left,
    version: ofSignOff,
    rows: 'change',
  },
  {
    title: () => 'Green since, not signed off yet',
    tone: 'amber',
    of: ({ awaiting }) => awaiting,
    version: ({ newest }) => newest,
    rows: 'change',
  },
  {
    title: () => 'Signed off as green, and no longer green since',
    tone: 'red',
    of: ({ downgraded }) => downgraded,
    version: ({ newest }) => newest,
    rows: 'change',
  },
  {
    title: (version) => `Green in ${version}`,
    tone: 'green',
    of: ({ green }) => green,
    version: ofSignOff,
    rows: 'rating',
  },
];

/** A sign-off with what it changed. */
export interface ComparedSignOff {
  readonly event: SignOffEvent;
  readonly comparison: SignOffComparison;
}

/**
 * The sign-offs of one message with what they changed, oldest first. What is green and not signed off is not said of one that
 * another one has replaced.
 */
export function comparedSignOffs(
  events: readonly PanelEvent[],
  { signOff, now }: Pick<MessageContext, 'signOff' | 'now'>,
): readonly ComparedSignOff[] {
  return events.filter(isSignOff).flatMap((event): readonly ComparedSignOff[] => {
    const comparison = signOff?.(event.id);
    if (!comparison) return [];
    const isReplaced = comparison.counting !== null && !isComing(event.data.change.signedOffDate ?? '', now);
    return [
      { event, comparison: isReplaced ? { ...comparison, awaiting: null, downgraded: null } : comparison },
    ];
  });
}

/** Whether a day, such as `2026-05-06`, is still to come. */
export const isComing = (date: string, now: string): boolean => date > now.slice(0, 10);

/** `the signed-off version`, or by its number where it does not count, or others are in the message. */
export function versionWords({ event, comparison }: ComparedSignOff, several: boolean): string {
  const { signedOffVersion } = event.data.change;
  return signedOffVersion !== undefined && (several || comparison.counting)
    ? `version ${cleanLine(signedOffVersion)}`
    : 'the signed-off version';
}
