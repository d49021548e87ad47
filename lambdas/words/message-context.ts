import type { Rating } from '../events/changes.ts';
import type { PanelEvent } from '../events/schemas.ts';
import type { TimeWords } from './time-words.ts';

/** What the words of a message depend on besides its events. */
export interface MessageContext {
  readonly times: TimeWords;
  /** When the message is made; ISO 8601. */
  readonly now: string;
  /** Why the reader receives it; one sentence. */
  readonly reason: string | null;
  /** How to change or stop the messages, as lines. */
  readonly help?: readonly string[];
  /** Whether the reader gets messages about several catalogues, and so must see which one a panel is of. */
  readonly namesCatalogue?: boolean;
  /** What a sign-off changed of what counts, by the id of its event. */
  readonly signOff?: (eventId: string) => SignOffComparison | undefined;
  /** What is known of an event and its entity besides. */
  readonly background?: (eventId: string) => Background | undefined;
}

/** What the history and the states of panels say about an event and its entity. */
export interface Background {
  /** The rating before, since when, and on which version of the panel. */
  readonly before?: { readonly rating: Rating; readonly since: string; readonly version: string | null };
  /** What the same person wrote in the same action. */
  readonly comment?: string;
  /** The rating on the panel, as its newest known state shows it. */
  readonly rating?: Rating;
  /** Such as `HGNC:1100`. */
  readonly hgncId?: string;
  readonly modeOfInheritance?: string;
  /** Other panels that hold the entity, as they are now. */
  readonly elsewhere?: readonly Elsewhere[];
  /** What the signed-off version of the panel says of the entity. */
  readonly signedOff?: SignedOffHolding;
}

/** An entity on another panel. */
export interface Elsewhere {
  /** `R207`, or the panel's name. */
  readonly panel: string;
  readonly rating: Rating;
}

/** An entity in the signed-off version of a panel. */
export interface SignedOffHolding {
  readonly version: string;
  /** The day of the sign-off, such as `2023-03-22`. */
  readonly date: string;
  /** The day is still to come: until then, an earlier version counts. */
  readonly isComing?: true;
  /** `absent`: the version does not hold it. Null: what the version holds is unknown. */
  readonly rating: Rating | 'absent' | null;
}

/** What a sign-off changed of what counts, as its event states it for programs. */
export type SignOffComparison = NonNullable<PanelEvent<'panel.signed-off'>['data']['change']['comparison']>;
/** An entity whose rating differs between two versions of a panel. */
export type ComparedEntity = NonNullable<SignOffComparison['entered']>[number];

/** The lines at the end of a message about its subscription: why the reader gets it, and how to change that. */
export const subscriptionLines = ({
  reason,
  help = [],
}: Pick<MessageContext, 'reason' | 'help'>): readonly string[] => [...(reason ? [reason] : []), ...help];
