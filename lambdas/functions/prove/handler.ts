import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { askAgain } from '../../panels/archive-record.ts';
import { createDynamoPanelStates } from '../../panels/dynamodb-panel-states.ts';
import { aloneWith, pollAlone } from '../../poll/poll-alone.ts';
import type { Message } from '../../publishing/message.ts';
import { measureProof } from '../../reconcile/measure-sweep.ts';
import type { ProofReport } from '../../reconcile/proof-options.ts';
import { provePanels } from '../../reconcile/prove-panels.ts';
import { publishDisagreements } from '../../reconcile/publish-disagreements.ts';
import { createReadLog } from '../../reconcile/sweep-report.ts';
import { createStateStore } from '../../store/dynamodb.ts';
import { createDynamoDocuments } from '../../store/items-dynamodb.ts';
import { createLease } from '../../store/lease.ts';
import { catalogueFunction, type RunContext } from '../catalogue-function.ts';
import { proveSettings, readEnvironment } from '../settings.ts';

const settings = readEnvironment(proveSettings, process.env);
const start = catalogueFunction(settings);
/** What a person may invoke the function with, instead of its schedule. */
const proveEvent = z.object({ askAgain: z.boolean().optional() }).catch({});

/**
 * One slice of the states of the panels of the catalogue that the environment names, started by the schedule: the baseline
 * first, then the versions that began since. It ends before Lambda ends it; the next run goes on. A person who invokes it with
 * `{"askAgain": true}` has the catalogue asked at once, also where it served no states of late.
 */
export async function handler(event: unknown, context: RunContext): Promise<ProofReport> {
  const { parts, state, metrics, conclude } = start(context);
  const documents = createDynamoDocuments(state);
  if (proveEvent.parse(event).askAgain === true) await askAgain(documents);
  const store = createStateStore(state);
  const lease = createLease(state);
  const readLog = createReadLog({
    store,
    log: parts.log,
    poll: () => pollAlone({ ...parts, store, overlap: settings.OVERLAP_MINUTES }, lease),
  });
  /** Compares the catalogue with others of the deployment, by what was read of both. */
  const compare = async (): Promise<void> => {
    for (const { catalogue, pairs } of settings.COMPARED_WITH) {
      const there = createDynamoPanelStates({
        ...{ dynamodb: state.dynamodb, table: settings.HISTORY_TABLE_NAME, catalogue, clock: parts.clock },
      });
      const report = await publishDisagreements({
        ...{ ...parts, documents, alone, onPublished },
        here: { name: parts.name, url: parts.catalogue.url, states: parts.states, listing: store.listing },
        there: {
          ...{ name: catalogue, states: there },
          listing: () => createStateStore({ ...state, catalogue }).listing(),
        },
        pairs: pairs === undefined ? null : await readFile(pairs, 'utf8'),
      });
      parts.log.info('Compared with another catalogue', { catalogue, ...report });
    }
  };
  const onPublished = (messages: readonly Message[]): void => {
    for (const { attributes } of messages) metrics.published(attributes.type?.value ?? 'unknown');
  };
  const alone = aloneWith(lease, parts);
  const prove = async (): Promise<ProofReport> => {
    const report = await provePanels({
      ...parts,
      url: parts.catalogue.url,
      documents,
      state: store,
      alone,
      overlap: settings.OVERLAP_MINUTES,
      first: settings.FOLLOWED_PANELS,
      readLog: () => readLog(null),
      onPublished,
    });
    await compare();
    return report;
  };
  return conclude(prove(), {
    measure: (outcome) => measureProof(metrics, outcome, parts.catalogue.traffic),
    done: 'Proved',
    failed: 'The run that proves versions failed; the next one goes on',
  });
}
