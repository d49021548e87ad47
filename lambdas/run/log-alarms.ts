import type { AlarmKind, Watch } from './alarm-kind.ts';
import type { WatchedMetric } from './metric-names.ts';

const HOUR = 60;
const DAY = 24 * HOUR;
/** Fewer texts without a template are not a new wording yet. */
export const FEWEST_UNCLASSIFIED = 3;

/** Raised by a single poll of an hour that counts something. */
export const onceInAnHour = (metric: WatchedMetric): Watch => ({
  measured: { from: 'catalogue', metric },
  statistic: 'sum',
  minutes: HOUR,
  comparison: 'at least',
  threshold: 1,
  periods: 1,
  withoutData: 'ok',
});

/** The alarms of what the activity log holds. */
export const logAlarms = {
  'lag-growing': {
    scope: 'catalogue',
    observed: ({ limits }) =>
      `The newest activity was published more than ${limits.lagMinutes} minutes after it was recorded`,
    watch: ({ limits, pollMinutes }) => ({
      measured: { from: 'catalogue', metric: 'LagSeconds' },
      statistic: 'maximum',
      minutes: pollMinutes,
      comparison: 'above',
      threshold: limits.lagMinutes * 60,
      periods: 1,
      withoutData: 'ok',
    }),
    onOneMachine: 'raised',
  },
  'feed-empty': {
    scope: 'catalogue',
    observed: () => 'The catalogue returns an empty activity log',
    watch: () => onceInAnHour('LogEmpty'),
    onOneMachine: 'raised',
  },
  'feed-shrunken': {
    scope: 'catalogue',
    observed: ({ limits }) =>
      `More than ${limits.shrunkenPercent} % of the rows of the activity log disappeared between two polls`,
    watch: () => onceInAnHour('LogShrunken'),
    onOneMachine: 'raised',
  },
  'feed-quiet': {
    scope: 'catalogue',
    observed: ({ limits }) => `Polls found no new activity for ${limits.quietDays} days`,
    watch: ({ limits }) => ({
      measured: { from: 'catalogue', metric: 'ActivitiesRead' },
      statistic: 'sum',
      minutes: DAY,
      comparison: 'below',
      threshold: 1,
      periods: limits.quietDays,
      withoutData: 'ok',
    }),
    onOneMachine: 'raised',
  },
  'log-behind-mark': {
    scope: 'catalogue',
    observed: () =>
      'The activity log lacks the newest rows of a panel that is public: it ends before the mark',
    watch: () => onceInAnHour('LogBehindMark'),
    onOneMachine: 'raised',
  },
  'rows-from-the-future': {
    scope: 'catalogue',
    observed: () => "The activity log has rows that are dated after the catalogue's own time",
    watch: () => onceInAnHour('RowsFromTheFuture'),
    onOneMachine: 'raised',
  },
  'volume-high': {
    scope: 'catalogue',
    observed: ({ limits }) => `More than ${limits.eventsPerHour} events were published within an hour`,
    watch: ({ limits }) => ({
      measured: { from: 'catalogue', metric: 'EventsPublished' },
      statistic: 'sum',
      minutes: HOUR,
      comparison: 'above',
      threshold: limits.eventsPerHour,
      periods: 1,
      withoutData: 'ok',
    }),
    onOneMachine: 'raised',
  },
  'unclassified-share': {
    scope: 'catalogue',
    observed: ({ limits }) =>
      `More than ${limits.unclassifiedPercent} % of the activities of six hours have text that no template matches`,
    watch: ({ limits }) => ({
      measured: {
        from: 'share',
        part: 'Unclassified',
        whole: 'ActivitiesRead',
        atLeast: FEWEST_UNCLASSIFIED,
      },
      statistic: 'sum',
      minutes: 6 * HOUR,
      comparison: 'above',
      threshold: limits.unclassifiedPercent,
      periods: 1,
      withoutData: 'ok',
    }),
    onOneMachine: 'raised',
  },
  'rows-quarantined': {
    scope: 'catalogue',
    observed: () => 'A row could not be read, or SNS refused an event for its content',
    watch: () => onceInAnHour('Quarantined'),
    onOneMachine: 'raised',
  },
} as const satisfies Readonly<Record<string, AlarmKind>>;
