import * as z from 'zod';

/** A number in [min, max]. Errors say what was expected, as a phrase that follows "expected". */
const numberFrom = (min: number, max: number) => {
  const error = `a number from ${min} to ${max}`;
  return z.number({ error }).min(min, { error }).max(max, { error });
};

const wholeFrom = (min: number, max: number) => {
  const error = `a whole number from ${min} to ${max}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
};

/** The pace where nothing is set. */
export const defaultArchivePace = {
  secondsBetween: 10,
  requestsPerDay: 2000,
  requestsPerWeek: 7000,
} as const;

/**
 * How the states of one catalogue's panels are read and kept. A public catalogue asked automated readers to slow down. The
 * settings file, a deployment and a run on one machine all read these fields.
 */
export const panelStateFields = {
  /** The least time between the beginnings of two requests, in seconds. */
  secondsBetween: numberFrom(0, 3600).default(defaultArchivePace.secondsBetween),
  /** The most requests in a day of UTC; 0: nothing is asked. */
  requestsPerDay: wholeFrom(0, 1_000_000).default(defaultArchivePace.requestsPerDay),
  /** The most requests in a week of UTC, from Monday on. */
  requestsPerWeek: wholeFrom(0, 7_000_000).default(defaultArchivePace.requestsPerWeek),
  /** Days for which a state that is not the newest of its panel is kept after it ended; as long as events where absent. */
  keepDays: wholeFrom(30, 36_500).optional(),
} as const;

export const panelStateSettings = z.strictObject(panelStateFields);
/** How the states of one catalogue's panels are read and kept. */
type PanelStateSettings = z.output<typeof panelStateSettings>;

/** How often one catalogue is asked for states of panels. */
export type ArchivePace = Pick<PanelStateSettings, 'secondsBetween' | 'requestsPerDay' | 'requestsPerWeek'>;

/** A catalogue on this machine is asked without a pause: no other reader shares it. */
export const ownArchivePace: ArchivePace = {
  secondsBetween: 0,
  requestsPerDay: 1_000_000,
  requestsPerWeek: 7_000_000,
};
