import type { LeftOut } from '../panels/sqlite-as-of.ts';
import type { Instant } from '../run/instant.ts';
import { counted } from '../words/counted.ts';
import { flag, isDay, OptionError, readMoment } from './options.ts';
import type { AsOf, Limit, Option, Options, Times } from './question.ts';

/** The options of every question beside its own: they say of which time its place is. */
export const asOfOptions = {
  'as-of': {
    help: 'answer as at the end of this day, or at this time: what came to light later is left out',
    takes: 'DAY',
    field: { kind: 'day', label: 'As known at the end of' },
    read([text], moment) {
      if (text === undefined) return undefined;
      const at = isDay(text) ? moment.times.startOf(text, 1) - 1n : readMoment(text, moment);
      if (at <= moment.now) return at;
      throw new OptionError(text, 'a day that is over, or a time that is not in the future');
    },
  } satisfies Option<Instant | undefined>,
  'left-out': flag('with as-of: also say how much came to light later and is left out'),
} as const satisfies Options;

/** Says that an answer is as of an earlier time. */
export const asOfLimit = ({ at, leftOut }: AsOf, times: Times): Limit => ({
  kind: 'as-of',
  sentence: `As of ${momentWords(at, times)}: what came to light later is left out.${leftOut ? ` That is ${leftOutWords(leftOut)}.` : ''}`,
});

function momentWords(at: Instant, times: Times): string {
  const isEndOfDay = at + 1n === times.startOf(times.iso(at), 1);
  return isEndOfDay ? `the end of ${times.day(at)}` : times.moment(at);
}

/** What an answer as of an earlier time leaves out, as the end of a sentence. */
export const leftOutWords = ({ events, late, versions, signOffs }: LeftOut): string =>
  `${counted(events, 'event')}, ${late} of them about the time before; readings of ${counted(versions, 'panel version')}; ${counted(signOffs, 'sign-off')} listed or withdrawn`;
