import * as z from 'zod';
import { servesStates } from '../../panels/archive-record.ts';
import { aloneWith, pollAlone } from '../../poll/poll-alone.ts';
import { measureSweep } from '../../reconcile/measure-sweep.ts';
import { readSignOffs } from '../../reconcile/read-sign-offs.ts';
import { sweep } from '../../reconcile/sweep.ts';
import {
  createReadLog,
  type SweepReport,
  searchPagesOfSweep,
  withSignOffs,
} from '../../reconcile/sweep-report.ts';
import { createStateStore } from '../../store/dynamodb.ts';
import { createDynamoDocuments } from '../../store/items-dynamodb.ts';
import { createLease } from '../../store/lease.ts';
import { forgetOldState } from '../../store/store.ts';
import { catalogueFunction, type RunContext } from '../catalogue-function.ts';
import { readEnvironment, sweepSettings } from '../settings.ts';

const settings = readEnvironment(sweepSettings, process.env);
const start = catalogueFunction(settings);
/** What a person may invoke the function with, instead of its schedule. */
const sweepEvent = z.object({ accept: z.boolean().optional() }).catch({});

/**
 * One sweep of the catalogue that the environment names, started by the schedule. A person who invokes it with
 * `{"accept": true}` accepts what the listings show.
 */
export async function handler(event: unknown, context: RunContext): Promise<SweepReport> {
  const { parts, state, metrics, conclude } = start(context);
  const store = createStateStore(state);
  const documents = createDynamoDocuments(state);
  const lease = createLease(state);
  const readLog = createReadLog({
    store,
    log: parts.log,
    poll: (searchRequest) =>
      pollAlone(
        {
          ...parts,
          store,
          overlap: settings.OVERLAP_MINUTES,
          notesCoverage: true,
          ...(searchRequest && { searchRequest, searchPages: searchPagesOfSweep }),
        },
        lease,
      ),
  });
  const run = {
    ...parts,
    documents,
    state: store,
    alone: aloneWith(lease, parts),
    sameChangePercent: settings.SAME_CHANGE_PERCENT,
    accept: sweepEvent.parse(event).accept === true,
    readLog,
  };
  const swept = async (): Promise<SweepReport> => {
    const found = await sweep({ ...run, shrunkenPercent: settings.SHRUNKEN_PERCENT });
    const report = withSignOffs(found, await readSignOffs(run));
    if (settings.HISTORY_DAYS !== undefined) {
      await forgetOldState(store, { days: settings.HISTORY_DAYS, now: parts.clock.now() });
    }
    return report;
  };
  return conclude(swept(), {
    measure: async (outcome) =>
      measureSweep(metrics, outcome, {
        traffic: parts.catalogue.traffic,
        provenByStates: await servesStates(documents),
      }),
    done: 'Swept',
    failed: 'The sweep failed; what it did not publish is found again by the next one',
  });
}
