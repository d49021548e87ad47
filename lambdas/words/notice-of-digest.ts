import type { PanelEvent } from '../events/schemas.ts';
import { netChangesOf } from '../filters/net-changes.ts';
import { digestEntities } from './digest-entities.ts';
import { panelFormat } from './digest-format.ts';
import { correctionGroup, fileLines, groupsOf, inheritanceGroup } from './digest-groups.ts';
import { type DigestLag, lagBlocks, lagFileLines } from './digest-lag.ts';
import { changePhrases } from './digest-lists.ts';
import { restBlock } from './digest-rest.ts';
import { listFile } from './list-file.ts';
import type { MessageContext } from './message-context.ts';
import type { Block, Notice } from './notice.ts';
import { phrase } from './phrase.ts';
import { subscriptionLines } from './subscription-lines.ts';
import { threadId } from './thread.ts';

/** The period that a digest covers. Times in ISO 8601; `until` is the first instant after it. */
export interface DigestPeriod {
  readonly since: string;
  readonly until: string;
}

/** What is known of a digest's period besides its events. */
interface DigestContext extends MessageContext {
  readonly subscription: string;
  /** Ids of events that the subscription's filter leaves out, and that the others need to be true. */
  readonly unasked?: ReadonlySet<string>;
  /** How much of the period was read, in sentences; absent where no history is kept. */
  readonly coverage?: DigestCoverage;
  /** What waits for a sign-off; absent where it was not asked for. */
  readonly lag?: DigestLag;
}

/** How much of a period was read, for people. */
export interface DigestCoverage {
  /** What can be said where nothing was found: never more than what was read. */
  readonly nothing: string;
  /** A sentence for each part that was not read. */
  readonly unread: readonly string[];
}

/** The message about all events of a period, oldest first: what they changed in the end, by panel. */
export function noticeOfDigest(
  events: readonly PanelEvent[],
  { since, until }: DigestPeriod,
  context: DigestContext,
): Notice {
  const net = netChangesOf(events);
  const entities = digestEntities(events, context.unasked);
  const format = panelFormat(events, entities, context);
  const lastInstant = new Date(Date.parse(until) - 1).toISOString();
  const period = context.times.period(since, lastInstant);
  const groups = groupsOf(net, format);
  const inheritance = entities.inheritance();
  const corrections = entities.corrections();
  const all = [
    ...correctionGroup(corrections, net, format),
    ...groups.ratings,
    ...inheritanceGroup(inheritance, net, format),
    ...groups.others,
  ];
  const phrases = changePhrases(net, { inheritance: inheritance.length, corrections: corrections.length });
  const { coverage, lag } = context;
  const waiting = lag ? lagFileLines(lag, context.times.day) : [];
  const signedOff = net.panels.flatMap((panel) => format.signOffs(panel).cells);
  const nothing = coverage?.nothing ?? 'No change was published in this period.';
  const isUnread = (coverage?.unread.length ?? 0) > 0;
  const none = isUnread ? 'nothing found in what was read' : 'nothing changed';
  return {
    headline: phrase`Panel changes ${period}: ${phrases.length > 0 ? phrases.join(', ') : none}`,
    tone: all[0]?.tone ?? 'plain',
    blocks: [
      ...(events.length === 0
        ? [{ kind: 'text', text: phrase`${nothing}` } as const]
        : [...all, ...restBlock(net, events, { entities, also: all.length > 0 })]),
      ...(coverage?.unread ?? []).map((text): Block => ({ kind: 'text', text: phrase`${text}` })),
      ...(lag ? lagBlocks(lag, context) : []),
    ],
    links: [],
    thread: {
      id: threadId('digest', context.subscription),
      title: `Panel changes: ${context.subscription}`,
    },
    ...listFile(
      `Panel changes ${period}`,
      [...fileLines(net, { inheritance, corrections }, format), ...signedOff, ...waiting],
      { always: signedOff.length + waiting.length > 0 },
    ),
    footer: [
      ...subscriptionLines(context),
      `Period: from ${context.times.moment(since)} to ${context.times.moment(until)}.`,
    ],
  };
}
