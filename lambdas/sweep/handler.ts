import { readEnvironment } from '../environment/read-environment.ts';
import { servesStates } from '../panel-states/archive-record.ts';
import { catalogueFunction, conclude, outcomeOf, type RunContext } from '../poll/catalogue-function.ts';
import { pollAlone } from '../poll/poll-alone.ts';
import { readSignOffs } from '../sign-offs/read-sign-offs.ts';
import { createDynamoDocuments } from '../state/documents-dynamodb.ts';
import { createStateStore } from '../state/dynamodb.ts';
import { forgetOldState } from '../state/forget-old.ts';
import { createLease } from '../state/lease.ts';
import { measureSweep } from './measure-sweep.ts';
import { sweepEvent, sweepSettings } from './settings.ts';
import { sweep } from './sweep.ts';
import { createReadLog, searchPagesOfSweep } from './sweep-options.ts';
import { type SweepReport, withSignOffs } from './sweep-report.ts';

const settings = readEnvironment(sweepSettings, process.env);
const start = catalogueFunction(settings);

/**
 * One sweep of the catalogue that the environment names, started by the schedule. A person who invokes it with
 * `{"accept": true}` accepts what the listings show.
 */
export async function handler(event: unknown, context: RunContext): Promise<SweepReport> {
  const { parts, state, metrics } = start(context);
  const store = createStateStore(state);
  const documents = createDynamoDocuments(state);
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
        createLease(state),
      ),
  });
  const run = {
    ...parts,
    documents,
    state: store,
    sameChangePercent: settings.SAME_CHANGE_PERCENT,
    accept: sweepEvent.parse(event).accept === true,
    readLog,
  };
  const outcome = await outcomeOf(
    sweep({ ...run, shrunkenPercent: settings.SHRUNKEN_PERCENT }).then(async (swept) => {
      const report = withSignOffs(swept, await readSignOffs(run));
      if (settings.HISTORY_DAYS !== undefined) {
        await forgetOldState(store, { days: settings.HISTORY_DAYS, now: parts.clock.now() });
      }
      return report;
    }),
  );
  measureSweep(metrics, outcome, {
    traffic: parts.catalogue.traffic,
    provenByStates: await servesStates(documents),
  });
  return conclude(outcome, parts, {
    done: 'Swept',
    failed: 'The sweep failed; what it did not publish is found again by the next one',
  });
}
