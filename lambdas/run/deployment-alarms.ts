import type { AlarmKind, DeadLetterName, Watch } from './alarm-kind.ts';
import { raisedBy, someFail } from './alarm-kind.ts';

/** Minutes for which a message may be due before an alarm is raised: longer than its first attempts take. */
const LATE_MESSAGE_MINUTES = 120;
/** Minutes for which an event may wait for the bus: two attempts. */
const LATE_BUS_MINUTES = 15;
/** Minutes of a period in which the addresses are counted at least once, also where one run is missing. */
const GONE_MINUTES = 180;
/** How much of its room the copy of the page may take: at 100 percent it leaves the oldest events out. */
const FULL_PAGE_PERCENT = 80;
/** Minutes of a period in which `notify`, which is started each minute, must not fail again and again. */
const NOTIFY_MINUTES = 5;

/** Minutes between two runs that write the relay: a list of panels, which says up to when all is known, is as old at most. */
export const RELAY_MINUTES = 60;

/** Raised by the first message of a queue, until it is empty again. */
const anyIn = (queue: DeadLetterName): Watch =>
  raisedBy({ from: 'queue', queue }, { statistic: 'maximum', minutes: 5 });

/** The alarms of what a deployment has once. */
export const deploymentAlarms = {
  'missed-runs': {
    scope: 'queues',
    observed: () => 'The scheduler could not start a run',
    watch: () => anyIn('missed-runs'),
    onlyDeployed: 'A run on one machine has no queues.',
  },
  'failed-runs': {
    scope: 'queues',
    observed: () => 'A run failed, and its repetition failed too',
    watch: () => anyIn('failed-runs'),
    onlyDeployed: 'A run on one machine has no queues.',
  },
  'undelivered-messages': {
    scope: 'queues',
    observed: () => 'A subscription could not deliver a message',
    watch: () => anyIn('undelivered'),
    onlyDeployed: 'A run on one machine has no queues.',
  },
  'unsent-messages': {
    scope: 'queues',
    observed: () => 'A message could not be sent to its channel for a day',
    watch: () => anyIn('unsent'),
  },
  'messages-late': {
    scope: 'messages',
    observed: () =>
      `A message has waited for its channel for more than ${LATE_MESSAGE_MINUTES} minutes. Where the settings no longer have the channel, "messages list" names it, "messages move" hands what waits to another one, and "messages drop" drops it`,
    watch: () =>
      raisedBy(
        { from: 'deployment', metric: 'OldestUnsentSeconds' },
        {
          statistic: 'maximum',
          minutes: NOTIFY_MINUTES,
          comparison: 'above',
          threshold: LATE_MESSAGE_MINUTES * 60,
          periods: 3,
        },
      ),
    onlyDeployed: 'The page and the terminal show what waits there.',
  },
  'mail-addresses-gone': {
    scope: 'messages',
    observed: () => 'A mail address of the settings has no confirmed subscription, so SNS sends it nothing',
    watch: () =>
      // Counted once an hour; hours without a sample are hours in which no address was missing.
      raisedBy(
        { from: 'deployment', metric: 'MailAddressesGone' },
        { statistic: 'maximum', minutes: GONE_MINUTES },
      ),
    onlyDeployed: 'A run there sends mail by a mail server, without subscriptions.',
  },
  'messages-stopped': {
    scope: 'messages',
    observed: () =>
      'The function that sends messages has failed, or was not started, in three periods in a row',
    // Its runs that take in events may succeed while those that send fail, and the other way round.
    watch: () => someFail('notify', { minutes: NOTIFY_MINUTES, periods: 3 }),
    onlyDeployed: 'A run there that cannot send cannot report it either; systemd restarts it.',
  },
  'export-late': {
    scope: 'export',
    observed: () => 'Events wait for more than an hour to be written to the bucket of the export',
    watch: () =>
      raisedBy(
        { from: 'export' },
        { statistic: 'maximum', minutes: 5, comparison: 'above', threshold: 3600 },
      ),
    onlyDeployed: 'The export belongs to a deployment.',
  },
  'event-bus-late': {
    scope: 'event bus',
    observed: () => `Events wait for more than ${LATE_BUS_MINUTES} minutes to be put on the event bus`,
    watch: () =>
      raisedBy(
        { from: 'event bus' },
        { statistic: 'maximum', minutes: 5, comparison: 'above', threshold: LATE_BUS_MINUTES * 60 },
      ),
    onlyDeployed: 'The event bus belongs to a deployment.',
  },
  'page-failing': {
    scope: 'page',
    observed: () => 'The page for the team has answered requests with errors for a quarter of an hour',
    watch: () =>
      // A first copy of the history answers 503 too, for some minutes.
      raisedBy({ from: 'page' }, { minutes: 5, periods: 3 }),
    onlyDeployed: 'Who opens the page there sees whether it answers.',
  },
  'page-nearly-full': {
    scope: 'page',
    observed: () =>
      `The copy that the page shows takes more than ${FULL_PAGE_PERCENT} percent of its room: soon it will leave the oldest events out`,
    watch: () =>
      raisedBy(
        { from: 'deployment', metric: 'PageCopyPercent' },
        { statistic: 'maximum', comparison: 'above', threshold: FULL_PAGE_PERCENT },
      ),
    onlyDeployed: 'The page of one machine copies nothing.',
  },
  'relay-stopped': {
    scope: 'relay',
    observed: () =>
      'The function that writes the relay has failed, or was not started, in three periods in a row',
    // The repetition of a run that died may find its lease taken, and ends well without having written anything.
    watch: () => someFail('relay', { minutes: RELAY_MINUTES, periods: 3 }),
    onlyDeployed: 'Who exports the files there sees whether the command failed.',
  },
} as const satisfies Readonly<Record<string, AlarmKind>>;
