import type { PanelEvent } from '../events/schemas.ts';
import type { Filter } from '../filters/filter.ts';
import type { History } from '../store/history/history.ts';
import type { Background, MessageContext } from '../words/message-context.ts';
import type { Privacy } from '../words/privacy.ts';
import type { SignOffComparison } from '../words/sign-off-comparison.ts';
import { isSignOff } from '../words/sign-off-lists.ts';
import { backgroundsOf } from './background.ts';
import { askedComparison, compareSignOff } from './compare-sign-off.ts';
import { entityFactsOf, type StatesOf } from './entity-facts.ts';

interface KnownOptions {
  readonly history: Pick<History, 'find'> | null;
  readonly statesOf: StatesOf;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly privacy: Privacy;
  /** The genes that a reader asks for, where sign-offs alone count. */
  readonly whenSignedOff: Filter | undefined;
}

type SignOffEvent = PanelEvent<'panel.signed-off'>;
type Known = Required<Pick<MessageContext, 'background' | 'signOff'>>;

/** What history and states say of events, for the words of a message about them. */
export async function knownOf(events: readonly PanelEvent[], options: KnownOptions): Promise<Known> {
  const { history, privacy, whenSignedOff } = options;
  const backgrounds = await backgroundsOf(events, history, privacy);
  const facts = await entityFactsOf(events, options);
  const comparisons = new Map<string, SignOffComparison>();
  for (const event of events.filter(isSignOff)) {
    const comparison = await compareSignOff(event, options);
    comparisons.set(event.id, whenSignedOff ? askedComparison(comparison, event, whenSignedOff) : comparison);
  }
  return {
    background: (id): Background | undefined => {
      const [background, known] = [backgrounds.get(id), facts.get(id)];
      return background || known ? { ...background, ...known } : undefined;
    },
    signOff: (id) => comparisons.get(id),
  };
}

/**
 * Whether the signed-off version holds what an event is about as green, or may hold it so: where that is unknown, a reader who tests
 * by that version is asked to look.
 */
function maySignOffAsGreen({ id, data: { panel } }: PanelEvent, { background }: Known): boolean {
  const holding = background(id)?.signedOff;
  if (holding) return holding.rating === 'green' || holding.rating === null;
  return panel?.signedOff === true || panel?.signedOffVersion !== undefined;
}

/**
 * The events that matter to readers of sign-offs alone: sign-offs that bring what the reader asks for, and what is
 * signed off as green and is so no longer.
 */
export const thatCount = (
  events: readonly PanelEvent[],
  known: Known,
  asked: Filter,
): readonly PanelEvent[] =>
  events.filter((event) =>
    isSignOff(event) ? bringsSomething(event, known, asked) : maySignOffAsGreen(event, known),
  );

/** A sign-off with what it changed, for a program; other events as they are. */
export function withComparison(event: PanelEvent, { signOff }: Known): PanelEvent {
  const comparison = isSignOff(event) ? signOff(event.id) : undefined;
  if (!isSignOff(event) || !comparison) return event;
  const { entered, left, awaiting, downgraded, green, newest, counting, filtered, unknown } = comparison;
  const copy = (list: SignOffComparison['entered']) => list && [...list];
  const stated = {
    entered: copy(entered),
    left: copy(left),
    awaiting: copy(awaiting),
    downgraded: copy(downgraded),
    green: copy(green),
    ...{ newest, counting, filtered, unknown: [...unknown] },
  };
  return { ...event, data: { ...event.data, change: { ...event.data.change, comparison: stated } } };
}

/**
 * Whether a sign-off brings what a reader asks for, or may bring it. A reader of `to: ['green']` gets no message
 * about genes that are green no longer.
 */
function bringsSomething(event: SignOffEvent, { signOff }: Known, { to }: Filter): boolean {
  const comparison = signOff(event.id);
  if (!comparison || !event.data.change.signedOff) return true;
  const { entered, left, green } = comparison;
  // What is green in it may be new to the signed-off version.
  if (green !== null) return green.length > 0 || to === undefined;
  return entered === null || entered.length > 0 || (to === undefined && (left === null || left.length > 0));
}
