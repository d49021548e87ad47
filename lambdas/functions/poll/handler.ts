import { catalogueErrors, catalogueUrl } from '../../catalogue/http/access.ts';
import { pollAlone } from '../../poll/poll-alone.ts';
import { measure, type PollReport } from '../../poll/report.ts';
import { systemClock as clock } from '../../run/clock.ts';
import { createStateStore } from '../../store/dynamodb.ts';
import { createLease } from '../../store/lease.ts';
import { catalogueFunction, type RunContext } from '../catalogue-function.ts';
import { pollSettings, readEnvironment } from '../settings.ts';

const settings = readEnvironment(pollSettings, process.env);
const start = catalogueFunction(settings);

/** One poll of the catalogue that the environment names, started by the schedule. */
export async function handler(_event: unknown, context: RunContext): Promise<PollReport> {
  const { parts, state, metrics, remaining, tokenRequests, conclude } = start(context);
  const poll = pollAlone(
    {
      ...parts,
      store: createStateStore(state),
      overlap: settings.OVERLAP_MINUTES,
      ...(settings.MOVED_FROM !== undefined && {
        movedFrom: catalogueUrl(settings.MOVED_FROM, catalogueErrors).href,
      }),
      ...(settings.SHRUNKEN_LOG_PERCENT !== undefined && {
        shrunkenLogPercent: settings.SHRUNKEN_LOG_PERCENT,
      }),
      ...(settings.START_FROM !== undefined && { from: settings.START_FROM }),
    },
    createLease(state),
  );
  return conclude(poll, {
    measure: (outcome) =>
      measure(metrics, outcome, {
        tokenRequests: tokenRequests(),
        traffic: parts.catalogue.traffic,
        remaining: remaining(),
        credentialDays: daysUntil(settings.CREDENTIAL_EXPIRES),
      }),
    done: 'Polled',
    failed: 'The poll failed; the mark is after everything that was published',
  });
}

function daysUntil(date: string | undefined): number | null {
  const days = date === undefined ? Number.NaN : (Date.parse(date) - clock.now()) / 86_400_000;
  return Number.isNaN(days) ? null : days;
}
