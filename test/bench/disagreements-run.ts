import { PassThrough, Readable } from 'node:stream';
import { boundHeap } from '../../bin/command.ts';
import { run } from '../../bin/main.ts';
import { noRequests } from '../../lambdas/panels/listing-of.ts';
import { createSqlitePanelStates } from '../../lambdas/panels/sqlite-panel-states.ts';
import type { StateEntity } from '../../lambdas/panels/version-state.ts';
import { toMessage } from '../../lambdas/publishing/message.ts';
import { publishDisagreements } from '../../lambdas/reconcile/publish-disagreements.ts';
import type { Clock } from '../../lambdas/run/clock.ts';
import { formatInstant, instantOf } from '../../lambdas/run/instant.ts';
import { silentLog } from '../../lambdas/run/log.ts';
import { createSqliteHistory } from '../../lambdas/store/history/sqlite.ts';
import { createSqliteDocuments } from '../../lambdas/store/items-sqlite.ts';
import { createSqliteStore } from '../../lambdas/store/sqlite.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { seededRandom } from '../../sandbox/software/values.ts';
import { madeUpGene, madeUpState } from '../panels/made-up-states.ts';
import { breast, rated } from '../words/events.ts';
import { peakMegabytes } from './peak-memory.ts';
import { YEAR } from './races/disagreements.ts';

/** What `node disagreements-run.ts FOLDER` prints, as one line of JSON. CPU times are in milliseconds. */
export interface DisagreementsRun {
  /** The comparison of every pair, which publishes nothing. */
  readonly first: number;
  /** The same after a day, with what changed. */
  readonly daily: number;
  /** A turn after which nothing changed, the one in the middle of several. */
  readonly quiet: number;
  /** A turn after one gene turned green in the other catalogue. */
  readonly oneChange: number;
  readonly events: number;
  /** The command that lists every disagreement. */
  readonly question: number;
  readonly peakMegabytes: number;
  /** What the year takes in the folder, and what the comparison adds, in bytes. */
  readonly yearBytes: number;
  readonly addedBytes: number;
}

boundHeap();
const DAY = 86_400_000;
const [folder = ''] = process.argv.slice(2);
const random = seededRandom(1);
const begin = Date.UTC(2025, 10, 1);
let now = begin;
const clock: Clock = { now: () => now, random, sleep: async () => {} };
const file = openStateFile(folder);
const history = createSqliteHistory(file);
const ratings = ['green', 'green', 'amber', 'red'] as const;
const any = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
const geneOf = (number: number, rating: StateEntity['rating']): StateEntity =>
  madeUpGene(`GENE${number}`, { hgncId: `HGNC:${number}`, rating });

async function openCatalogue(name: string, shift: number) {
  const states = createSqlitePanelStates({ file, catalogue: name, now: clock.now });
  const held = Array.from({ length: YEAR.panels }, (_, panel) =>
    Array.from({ length: YEAR.genes }, (_gene, place) => geneOf(panel * 10 + place, 'green')),
  );
  const panelName = (panel: number): string => `Panel number ${panel}`;
  let made = 0;
  /** A curator rates a gene: a row, and a version with it. */
  const rate = async (panel: number, version: number): Promise<void> => {
    const entities = held[panel] ?? [];
    const place = Math.floor(random() * entities.length);
    const before = entities[place];
    if (!before) return;
    const rating = any(ratings.filter((one) => one !== before.rating));
    entities[place] = { ...before, rating };
    const at = instantOf(now);
    const panelId = panel + 1 + shift;
    made += 1;
    const event = rated(before.rating, rating, rating === 'green' ? 'upgraded' : 'downgraded', {
      panel: { ...breast, id: panelId, name: panelName(panel), version: `1.${version}` },
      ...{ gene: before.name, time: formatInstant(at) },
      id: `${shift === 0 ? 'a' : 'b'}${made.toString(16).padStart(31, '0')}`,
    });
    const ofCatalogue = { ...event, data: { ...event.data, catalogue: name } };
    await history.append([toMessage(ofCatalogue)], { catalogue: name, since: at, until: at });
    await states.save(
      madeUpState({
        ...{ panelId, panelName: panelName(panel), entities: [...entities], relevantDisorders: [] },
        ...{ version: `1.${version}`, validFrom: at, readAt: at },
      }),
    );
  };
  const url = `https://${name}.example/api/v1/`;
  await createSqliteStore(file, name).begin({ mark: 0n, start: 0n, count: 0, source: url }, []);
  const listing = async () => ({
    panels: new Map(
      held.map((_, panel) => [
        panel + 1 + shift,
        {
          name: panelName(panel),
          facts: {
            types: [],
            diseaseGroup: '',
            diseaseSubGroup: '',
            relevantDisorders: [],
            signedOff: false,
          },
          versions: [],
        },
      ]),
    ),
    ...{ typeSlugs: new Map(), readAt: instantOf(now), listedAt: now, requests: noRequests },
  });
  return { name, url, states, listing, rate };
}

async function cpuOf<Value>(
  work: () => Promise<Value>,
): Promise<{ readonly value: Value; readonly cpu: number }> {
  const before = process.cpuUsage();
  const value = await work();
  const { user, system } = process.cpuUsage(before);
  return { value, cpu: (user + system) / 1000 };
}

const [here, there] = [await openCatalogue('uk', 0), await openCatalogue('australia', 1000)];
for (let version = 1; version <= YEAR.versions; version += 1) {
  now = begin + version * 30 * DAY;
  for (let panel = 0; panel < YEAR.panels; panel += 1) {
    now += 60_000;
    await here.rate(panel, version);
    await there.rate(panel, version);
  }
}
const bytesNow = (): number => {
  const { bytes } = file.database
    .prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size')
    .get() as { readonly bytes: number };
  return bytes;
};
const yearBytes = bytesNow();
const compare = () =>
  publishDisagreements({
    ...{ here, there, history, clock, log: silentLog, pairs: null },
    documents: createSqliteDocuments(file, 'uk'),
    publisher: { publish: async () => [] },
  });
now += 2 * DAY;
const first = await cpuOf(compare);
const addedBytes = bytesNow() - yearBytes;
const quiet: number[] = [];
for (let times = 0; times < 5; times += 1) {
  now += 60_000;
  quiet.push((await cpuOf(compare)).cpu);
}
now += 60_000;
await there.rate(7, YEAR.versions + 1);
const oneChange = await cpuOf(compare);
now += 2 * DAY;
for (let panel = 10; panel < 30; panel += 1) await there.rate(panel, YEAR.versions + 1);
const daily = await cpuOf(compare);
const peak = peakMegabytes();
const output = (): PassThrough => new PassThrough().resume();
const question = await cpuOf(() =>
  run(['compare', 'uk', 'australia', '--format', 'csv', '--state', folder], {
    ...{ stdin: Readable.from([]), stdout: output(), stderr: output(), env: {}, clock },
    signal: new AbortController().signal,
  }),
);
file.close();
const result: DisagreementsRun = {
  ...{ first: first.cpu, daily: daily.cpu, oneChange: oneChange.cpu, question: question.cpu },
  quiet: quiet.toSorted((one, other) => one - other)[2] ?? 0,
  events: oneChange.value.events + daily.value.events,
  ...{ peakMegabytes: peak, yearBytes, addedBytes },
};
process.stdout.write(`${JSON.stringify(result)}\n`);
