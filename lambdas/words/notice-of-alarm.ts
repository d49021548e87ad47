import * as z from 'zod';
import type { AlarmId } from '../run/alarm-kinds.ts';
import { capitalize } from '../run/text.ts';
import { cleanLine, cleanText } from './clean-text.ts';
import type { MessageContext } from './message-context.ts';
import type { Block, Notice } from './notice.ts';
import { threadId } from './panel-words.ts';
import { phrase } from './phrase.ts';

interface AlarmWords {
  /** After the catalogue's name: `PanelApp UK: …`; `{since}` is the time. */
  readonly problem: string;
  /** What was seen, unless the alarm states it more exactly. */
  readonly seen?: string;
  readonly means: string;
  readonly recovery: string;
}

/** Characters of an error's text, which says at its end what to do. */
const LONGEST_DETAIL = 600;

const nothingLost = 'Nothing is lost: reading goes on from that time once it works again.';

const words: Readonly<Record<AlarmId, AlarmWords>> = {
  'no-successful-poll': {
    problem: 'No changes from {name} since {since}: the notifier cannot read it',
    seen: 'Polls fail, do not start, or wait because the catalogue asks them to.',
    means: nothingLost,
    recovery: '{name} is being read again',
  },
  'lag-growing': {
    problem: 'Changes from {name} arrive late',
    means:
      'The newest changes were published long after they were made. They still arrive, later than usual.',
    recovery: 'Changes from {name} arrive in time again',
  },
  'feed-empty': {
    problem: '{name} shows an empty activity log',
    means: 'The catalogue answers, but shows no change at all. Messages about it have stopped.',
    recovery: '{name} shows its activity log again',
  },
  'feed-shrunken': {
    problem: 'Part of the activity log of {name} is gone',
    means: 'The catalogue shows far fewer changes than before. Changes may be missing.',
    recovery: 'The activity log of {name} no longer shrinks',
  },
  'feed-quiet': {
    problem: '{name} has shown no change for days',
    means: 'That is unusual. Compare with the catalogue’s own page, in case its log stands still.',
    recovery: '{name} shows changes again',
  },
  'log-behind-mark': {
    problem: 'The activity log of {name} has gone back in time',
    means: 'Its newest change is older than one that was read before. Changes may be missing.',
    recovery: 'The activity log of {name} goes on from where it was read',
  },
  'rows-from-the-future': {
    problem: '{name} shows changes with a date in the future',
    means: 'Changes with a wrong date may be in the wrong digest. None is lost.',
    recovery: 'Dates of {name} are right again',
  },
  'sweeps-failing': {
    problem: 'The panel list of {name} cannot be read',
    means:
      'Changes that no row of the log shows, such as new versions of super panels, are not reported meanwhile. Changes of ratings still arrive.',
    recovery: 'The panel list of {name} is being read again',
  },
  'sweeps-unfinished': {
    problem: 'The comparison of the panel list of {name} does not finish',
    means:
      'Changes that no row of the log shows, such as new versions of super panels, are reported late. Changes of ratings still arrive in time.',
    recovery: 'The comparison of the panel list of {name} finishes again',
  },
  'listing-refused': {
    problem: 'The panel list of {name} is not trusted',
    means:
      'It has lost or changed so much at once that it may be wrong. Nothing is reported from it, so that no change is reported by mistake.',
    recovery: 'The panel list of {name} is trusted again',
  },
  'proofs-failing': {
    problem: 'Versions of panels of {name} are not being checked',
    seen: 'The runs that read what panels hold fail, or do not start.',
    means:
      'Changes that the log states are still reported. A change that no row of the log states is reported later, once the check works again.',
    recovery: 'Versions of panels of {name} are being checked again',
  },
  'versions-unproven': {
    problem: 'Versions of panels of {name} could not be checked',
    seen: 'One could not be checked for a day, or the catalogue has served no panel for hours.',
    means:
      'Nothing shows that all its changes were reported. A person should compare the panel with the catalogue.',
    recovery: 'All versions of panels of {name} were checked',
  },
  'events-corrected': {
    problem: 'Changes of {name} were reported wrongly, and are corrected',
    means:
      'The archive of the catalogue shows other values than the messages did. Each subscription that got one of them gets its correction.',
    recovery: 'No further changes of {name} were corrected',
  },
  'volume-high': {
    problem: 'Unusually many changes from {name}',
    means: 'Messages are bundled. Look at the catalogue before you act on them.',
    recovery: 'The number of changes from {name} is usual again',
  },
  'unclassified-share': {
    problem: 'Many texts of {name} are not recognised',
    means:
      'The catalogue may have changed its wording. Changes of ratings may be among the texts that are not recognised.',
    recovery: 'Texts of {name} are recognised again',
  },
  'rows-quarantined': {
    problem: 'Some changes of {name} could not be used',
    means: 'They were set aside. A person should look at them.',
    recovery: 'No further changes of {name} were set aside',
  },
  'catalogue-throttling': {
    problem: '{name} asks to be read less often',
    means: 'Changes arrive later than usual. None is lost.',
    recovery: '{name} can be read at the usual pace again',
  },
  'credential-refused': {
    problem: '{name} refuses the credential of the notifier',
    means: `${nothingLost} Someone must renew the credential.`,
    recovery: '{name} accepts the credential again',
  },
  'credential-expiring': {
    problem: 'The credential for {name} expires soon',
    means: 'Everything works until then. Someone must renew the credential.',
    recovery: 'The credential for {name} is renewed',
  },
  'export-late': {
    problem: 'The export of events for queries is late',
    means: 'Messages are not affected. Queries over the export lack the newest events until it works again.',
    recovery: 'The export of events for queries is up to date again',
  },
  'event-bus-late': {
    problem: 'Events reach the event bus late',
    means:
      'Messages are not affected. Programs that follow the bus get the events later, or someone must redeliver them.',
    recovery: 'Events reach the event bus in time again',
  },
  'page-failing': {
    problem: 'The page for the team does not work',
    means:
      'Messages are not affected. Nobody can read the page or decide there; nothing that was decided is lost.',
    recovery: 'The page for the team works again',
  },
  'page-nearly-full': {
    problem: 'The page for the team has little room left for the history',
    means:
      'Everything is shown today. Once the room is full, the page says that it did not read the oldest changes.',
    recovery: 'The page for the team has room again',
  },
  'relay-stopped': {
    problem: 'The files of the relay are not renewed',
    means:
      'Messages are not affected. Programs that read the files see the panels as they were some hours ago.',
    recovery: 'The files of the relay are renewed again',
  },
  'missed-runs': {
    problem: 'A scheduled run did not start',
    means: 'The next run reads what this one would have read.',
    recovery: 'All scheduled runs start again',
  },
  'failed-runs': {
    problem: 'A run failed, and so did its retry',
    means: nothingLost,
    recovery: 'No failed run is left',
  },
  'undelivered-messages': {
    problem: 'A message could not be delivered to a subscriber',
    means: 'It is kept. Someone must look at the queue.',
    recovery: 'No undelivered message is left',
  },
  'unsent-messages': {
    problem: 'A message could not be sent to its channel',
    means:
      'It was tried for a day, or the settings no longer have its channel. It is kept until it is sent, handed to another channel or dropped. Someone must correct the channel.',
    recovery: 'No unsent message is left',
  },
  'mail-addresses-gone': {
    problem: 'A mail address gets nothing',
    means:
      'Its subscription to Amazon’s mail service was ended or never confirmed. Its messages are kept, and sent once it is subscribed again. Alarms by mail are not kept.',
    recovery: 'Every mail address is subscribed',
  },
  'messages-late': {
    problem: 'Messages wait for their channel for hours',
    means:
      'They are tried again and again, and none is lost. Someone should look at the channel. Where the settings no longer have it, “messages list” names it, “messages move” hands what waits to another channel, and “messages drop” drops it.',
    recovery: 'Messages reach their channels in time again',
  },
  'messages-stopped': {
    problem: 'Messages were not sent',
    seen: 'The function that sends them failed, or was not started.',
    means: 'They are kept. This message shows that the function works again at this moment.',
    recovery: 'Messages are being sent again',
  },
};

/** An alarm of another version may have a name that is unknown here. */
const wordsOf = (alarm: string): AlarmWords | undefined =>
  Object.hasOwn(words, alarm) ? words[alarm as AlarmId] : undefined;

/** The message about an alarm of the notifier: what is wrong or over, what it means, what to do. */
export function noticeOfAlarm(
  change: AlarmChange,
  context: Pick<MessageContext, 'times' | 'now' | 'help'>,
): Notice {
  const { alarm, catalogue, state, description, detail = '', at } = change;
  const name = catalogue === null ? 'the notifier' : `catalogue ${cleanLine(catalogue)}`;
  const known = wordsOf(alarm);
  const since = context.times.clock(at, context.now);
  const fill = (text: string): string =>
    capitalize(text.replaceAll('{name}', name).replaceAll('{since}', since));
  const start =
    state === 'alarm'
      ? fill(known?.problem ?? `Alarm “${cleanLine(alarm)}” of {name}`)
      : fill(known?.recovery ?? `Alarm “${cleanLine(alarm)}” of {name} is over`);
  const seen: Block | false = detail !== '' && {
    kind: 'text',
    text: phrase`${cleanText(detail, LONGEST_DETAIL)}`,
  };
  const blocks: (Block | false)[] =
    state === 'alarm'
      ? [
          known !== undefined && {
            kind: 'text',
            text: phrase`${detail === '' && known.seen ? `${known.seen} ` : ''}${known.means}`,
          },
          seen,
          description !== '' && { kind: 'text', text: phrase`${cleanLine(description)}` },
          {
            kind: 'byline',
            text: phrase`Since ${context.times.moment(at)}. You will get a message when it is over.`,
          },
        ]
      : [seen, { kind: 'byline', text: phrase`Over since ${context.times.moment(at)}.` }];
  return {
    headline: phrase`${start}`,
    tone: state === 'alarm' ? 'problem' : 'recovery',
    blocks: blocks.filter((block) => block !== false),
    links: [],
    thread: {
      id: threadId('notifier', catalogue ?? 'all', alarm),
      title: fill(known?.problem ?? cleanLine(alarm)),
    },
    footer: [...(context.help ?? []), `Alarm “${cleanLine(alarm)}”`],
  };
}

const alarmSchema = z.lazy(() =>
  z.object({
    AlarmName: z.string(),
    AlarmDescription: z.string().nullish(),
    NewStateValue: z.enum(['ALARM', 'OK', 'INSUFFICIENT_DATA']),
    OldStateValue: z.string().optional(),
    NewStateReason: z.string().optional(),
    StateChangeTime: z.string(),
  }),
);

/** A change of state of one of the notifier's own alarms, as it is stored. */
export const alarmChangeSchema = z.lazy(() =>
  z.object({
    /** As `no-successful-poll`; the heading in docs/runbook.md. */
    alarm: z.string(),
    /** The catalogue that it is about; null for an alarm of the whole deployment. */
    catalogue: z.string().nullable(),
    state: z.enum(['alarm', 'ok']),
    /** One sentence that ends in what to do. */
    description: z.string(),
    /** What was seen, in sentences; of a recovery, what came of it. */
    detail: z.string().exactOptional(),
    /** ISO 8601. */
    at: z.string(),
  }),
);
/** A change of state of one of the notifier's own alarms. */
export type AlarmChange = Readonly<z.output<typeof alarmChangeSchema>>;

/**
 * The change of state that a message of the alarm topic states; null for any other message, and where the state
 * is neither alarm nor OK.
 */
export function readAlarm(
  message: unknown,
  { prefix, catalogues }: { readonly prefix: string; readonly catalogues: readonly string[] },
): AlarmChange | null {
  const { data } = alarmSchema.safeParse(message);
  if (!data || data.NewStateValue === 'INSUFFICIENT_DATA' || !data.AlarmName.startsWith(`${prefix}-`))
    return null;
  const name = data.AlarmName.slice(prefix.length + 1);
  const catalogue = catalogues.find((each) => name.startsWith(`${each}-`)) ?? null;
  const at = new Date(data.StateChangeTime);
  return {
    alarm: catalogue === null ? name : name.slice(catalogue.length + 1),
    catalogue,
    state: data.NewStateValue === 'ALARM' ? 'alarm' : 'ok',
    description: data.AlarmDescription ?? '',
    at: Number.isNaN(at.getTime()) ? new Date(0).toISOString() : at.toISOString(),
  };
}
