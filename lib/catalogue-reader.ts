import { readFileSync } from 'node:fs';
import { Annotations, Duration, Stack } from 'aws-cdk-lib';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { FollowedPanels } from '../lambdas/filters/followed-panels.ts';
import type {
  CatalogueEnvironment,
  PollEnvironment,
  ProveEnvironment,
  SweepEnvironment,
} from '../lambdas/functions/settings.ts';
import type { AlarmId } from '../lambdas/run/alarm-kinds.ts';
import { COVERAGE, historyPartitions } from '../lambdas/store/table-keys.ts';
import { type DeploymentParts, fileLayer } from './bundled-function.ts';
import { ScheduledFunction } from './function-schedule.ts';
import {
  allow,
  encryptMessages,
  historyArns,
  readItems,
  readSecrets,
  statePartitions,
  useKey,
} from './grants.ts';
import { issuedSecret } from './retained.ts';
import { isThisMachine } from './setting-kinds.ts';
import type { AlarmSettings, Catalogue } from './settings.ts';

interface CatalogueReaderProps extends DeploymentParts {
  readonly name: string;
  readonly catalogue: Catalogue;
  readonly followed: FollowedPanels;
}

/** What reads one catalogue: its secret, and one scheduled function for each job. */
export class CatalogueReader extends Construct {
  readonly catalogue: Catalogue;
  /** Holds the laboratory's credential; undefined where the catalogue is open. */
  readonly secret: Secret | ISecret | undefined;
  readonly functions: Readonly<Record<JobName, ScheduledFunction>>;

  constructor(scope: Construct, id: string, props: CatalogueReaderProps) {
    super(scope, id);
    const { settings, name, catalogue, followed } = props;
    this.catalogue = catalogue;
    if (isThisMachine(catalogue.base)) {
      Annotations.of(this).addWarningV2(
        'gene-panel-notifier:local-catalogue',
        `catalogues.${name}.base is ${catalogue.base}: on AWS this address is the function itself, which serves no catalogue. Use it only with an emulator on your machine`,
      );
    }
    const { access } = catalogue;
    this.secret =
      access.kind === 'none'
        ? undefined
        : issuedSecret(this, 'Secret', {
            from: access.secret,
            description: `Credential for the catalogue ${name} (${access.kind}); docs/deploying.md says what to put here`,
            key: props.key,
            issuer:
              "The catalogue's operator issues and rotates the credential; the poller reads it again when it is refused.",
          });
    const environment = environmentOf(this, props, this.secret?.secretArn);
    const grants = grantsOf(this, props, this.secret?.secretArn);
    const deploy = (jobName: JobName): ScheduledFunction => {
      const job: Job = jobs[jobName];
      return new ScheduledFunction(this, jobName, {
        ...props,
        name: `${jobName}-${name}`,
        description: `${job.description} (${name})`,
        entry: job.entry,
        environment: job.environment(environment, catalogue, { limits: settings.alarms, followed }),
        grants: job.comparesCatalogues ? [...grants, ...comparedGrants(props)] : grants,
        every: job.every(catalogue),
        within: job.within(catalogue),
        timeout: job.timeout,
        memoryMegabytes: job.memoryMegabytes,
        reserved: settings.reserveExecutions,
      });
    };
    this.functions = Object.fromEntries(jobNames.map((each) => [each, deploy(each)])) as Record<
      JobName,
      ScheduledFunction
    >;
    const files = pairsFilesOf(catalogue);
    if (Object.keys(files).length === 0) return;
    const layer = fileLayer(this, 'Pairs', {
      description: `The panels that belong together (${name})`,
      files,
    });
    for (const each of jobNames.filter((job) => (jobs[job] as Job).comparesCatalogues))
      this.functions[each].function.addLayers(layer);
  }
}

/**
 * The files of pairs that the settings name, by the paths that functions find them under.
 * @throws {Error} when one cannot be read: a run would find out hours later
 */
function pairsFilesOf({ comparedWith }: Catalogue): Readonly<Record<string, string>> {
  const files = Object.entries(comparedWith).flatMap(([other, { pairs }]) => {
    if (pairs === undefined) return [];
    try {
      return [[pairsFile(other), readFileSync(pairs, 'utf8')] as const];
    } catch (cause) {
      const seen = `comparedWith.${other}.pairs: saw no file that can be read at "${pairs}"`;
      throw new Error(`${seen}, expected a CSV file of pairs`, { cause });
    }
  });
  return Object.fromEntries(files);
}

function comparedGrants({
  catalogue: { comparedWith },
  table,
  history,
}: CatalogueReaderProps): readonly PolicyStatement[] {
  const others = Object.keys(comparedWith);
  if (others.length === 0) return [];
  return [
    allow({
      ...{ sid: 'ReadComparedState', actions: readItems, resources: [table.tableArn] },
      partitions: statePartitions(others),
    }),
    allow({
      ...{ sid: 'ReadComparedHistory', actions: readItems, resources: historyArns(history) },
      partitions: others.map((other) => `${historyPartitions(other)}*`),
    }),
  ];
}

function environmentOf(scope: Construct, props: CatalogueReaderProps, secretArn = ''): CatalogueEnvironment {
  const { settings, name, catalogue, table, history, topics } = props;
  const { historyDays } = settings.retention;
  const { access, base, original, states } = catalogue;
  const shared = {
    CATALOGUE_NAME: name,
    CATALOGUE_URL: base,
    CATALOGUE_ORIGINAL: original,
    TABLE_NAME: table.tableName,
    HISTORY_TABLE_NAME: history.tableName,
    HISTORY_DAYS: historyDays === undefined ? undefined : String(historyDays),
    TOPIC_ARNS: Stack.of(scope).toJsonString(topics.arns),
    PANEL_STATES: JSON.stringify(states),
    METRICS_NAMESPACE: settings.prefix,
  };
  if (access.kind === 'none') return { ...shared, ACCESS: access.kind };
  const credential = { SECRET_ID: secretArn, CREDENTIAL_EXPIRES: access.credentialExpires };
  if (access.kind === 'header') return { ...shared, ...credential, ACCESS: access.kind };
  return {
    ...shared,
    ...credential,
    ACCESS: access.kind,
    AUTH_URL: access.authUrl,
    TENANT_ID: access.tenantId,
    AUTH_RESOURCE: access.resource,
    AUTH_SCOPE: access.scope,
    AUTH_BASIC: access.basic,
  };
}

/** What the functions of a catalogue may do: read and write its items, publish events, and read its credential. */
function grantsOf(
  scope: Construct,
  { name, catalogue: { access }, table, history, topics, key }: CatalogueReaderProps,
  secretArn: string | undefined,
): readonly PolicyStatement[] {
  const calls = ['BatchGetItem', 'BatchWriteItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query'];
  const inTable = (names: readonly string[]): readonly string[] => names.map((each) => `dynamodb:${each}`);
  const keyArn = access.kind === 'none' ? undefined : access.secretKey;
  return [
    allow({
      sid: 'ReadAndWriteState',
      actions: inTable([...calls, 'UpdateItem']),
      resources: [table.tableArn],
      partitions: statePartitions([name]),
    }),
    allow({
      sid: 'ReadAndWriteHistory',
      actions: inTable(calls),
      resources: historyArns(history),
      partitions: [`${historyPartitions(name)}*`, COVERAGE],
    }),
    allow({ sid: 'PublishEvents', actions: ['sns:Publish'], resources: Object.values(topics.arns) }),
    key === undefined ? encryptMessages(scope, topics.key) : useKey(scope, key),
    ...(secretArn === undefined
      ? []
      : readSecrets(scope, { what: 'Credential', secrets: [secretArn], keyArn })),
  ];
}

/**
 * A function that is deployed once for each catalogue and runs on a schedule. This is its whole declaration: the log, the role,
 * the schedule and the dead letters follow from it. Its alarm has a heading in the runbook, and its costs are part of the
 * costs page; tests compare both. What its code may call is a line of `test/lib/proofs/function-needs.ts`.
 */
export interface Job {
  /** The module that exports `handler`, relative to the top of the repository. */
  readonly entry: string;
  readonly description: string;
  /** The function's environment variables: those that all jobs of a catalogue share, and its own. */
  readonly environment: (
    shared: CatalogueEnvironment,
    catalogue: Catalogue,
    given: { readonly limits: AlarmSettings; readonly followed: FollowedPanels },
  ) => CatalogueEnvironment;
  readonly every: (catalogue: Catalogue) => Duration;
  /** The scheduler starts a run at any moment of this window; undefined for exactly on time. */
  readonly within: (catalogue: Catalogue) => Duration | undefined;
  readonly timeout: Duration;
  readonly memoryMegabytes: number;
  /** The alarm that is raised when none of its runs reaches its end, for whichever reason. */
  readonly alarm: AlarmId;
  /** Whether it reads what is kept of the catalogues that its own one is compared with. */
  readonly comparesCatalogues?: true;
  /** A run that finds nothing new, for the costs: seconds, and reads of the tables. */
  readonly quietRun: { readonly seconds: number; readonly reads: number };
}

const poll: Job = {
  entry: 'lambdas/functions/poll/handler.ts',
  description: 'Reads the activity log back to the mark and publishes its events',
  environment: (
    shared,
    { overlapMinutes, from, movedFrom },
    { limits: { shrunkenPercent } },
  ): PollEnvironment => ({
    ...shared,
    OVERLAP_MINUTES: String(overlapMinutes),
    SHRUNKEN_LOG_PERCENT: String(shrunkenPercent),
    START_FROM: from,
    MOVED_FROM: movedFrom,
  }),
  every: ({ pollEveryMinutes }) => Duration.minutes(pollEveryMinutes),
  within: ({ pollEveryMinutes, startWithinMinutes = Math.floor(pollEveryMinutes / 5) }) =>
    startWithinMinutes > 0 ? Duration.minutes(startWithinMinutes) : undefined,
  // A deep backlog reaches many checkpoints in this time; a quiet poll takes a second.
  timeout: Duration.minutes(5),
  // Lambda's share of a processor grows with memory: below this a poll takes longer and costs the same.
  memoryMegabytes: 1024,
  alarm: 'no-successful-poll',
  quietRun: { seconds: 0.7, reads: 20 },
};

const sweep: Job = {
  entry: 'lambdas/functions/sweep/handler.ts',
  description: 'Compares the listings of panels and regions and publishes what changed without a row',
  environment: (shared, { overlapMinutes, shrunkenListingPercent, sameChangePercent }): SweepEnvironment => ({
    ...shared,
    OVERLAP_MINUTES: String(overlapMinutes),
    SHRUNKEN_PERCENT: String(shrunkenListingPercent),
    SAME_CHANGE_PERCENT: String(sameChangePercent),
  }),
  every: ({ sweepEveryMinutes }) => Duration.minutes(sweepEveryMinutes),
  // Many readers would otherwise list the panels at the same minute.
  within: ({ sweepEveryMinutes }) => Duration.minutes(Math.floor(sweepEveryMinutes / 4)),
  timeout: Duration.minutes(5),
  // Most of a run waits for pages; what is read of the log fits, as the test of memory shows.
  memoryMegabytes: 512,
  alarm: 'sweeps-failing',
  quietRun: { seconds: 20, reads: 200 },
};

const prove: Job = {
  entry: 'lambdas/functions/prove/handler.ts',
  description: 'Reads what panels hold, and proves each version by the events that lead to it',
  environment: (shared, { overlapMinutes, comparedWith }, { followed }): ProveEnvironment => ({
    ...shared,
    OVERLAP_MINUTES: String(overlapMinutes),
    FOLLOWED_PANELS: shortJson(followed),
    COMPARED_WITH: Object.keys(comparedWith).length === 0 ? undefined : comparedJson(comparedWith),
  }),
  every: ({ proveEveryMinutes }) => Duration.minutes(proveEveryMinutes),
  within: ({ proveEveryMinutes }) => Duration.minutes(Math.floor(proveEveryMinutes / 4)),
  // Fifty requests at the default pace; a run that begins before it ends is refused, and the next one goes on.
  timeout: Duration.minutes(10),
  // Most of a run waits; the largest state has several megabytes of JSON.
  memoryMegabytes: 512,
  alarm: 'proofs-failing',
  quietRun: { seconds: 1, reads: 60 },
  comparesCatalogues: true,
};

const pairsFile = (catalogue: string): string => `pairs/${catalogue}.csv`;

const comparedJson = (comparedWith: Catalogue['comparedWith']): string =>
  JSON.stringify(
    Object.entries(comparedWith).map(([catalogue, { pairs }]) => ({
      catalogue,
      ...(pairs !== undefined && { pairs: `/opt/${pairsFile(catalogue)}` }),
    })),
  );

/** Environment variables hold 4 KB together: panels that do not fit are read in the usual order. */
const FOLLOWED_CHARACTERS = 1500;

function shortJson(followed: FollowedPanels): string {
  const { panels, types, codes } = followed;
  const json = JSON.stringify(followed);
  if (json.length <= FOLLOWED_CHARACTERS) return json;
  const half = <Value>(list: readonly Value[]): Value[] => list.slice(0, Math.floor(list.length / 2));
  return shortJson({ panels: half(panels), types: half(types), codes: half(codes) });
}

/** The jobs of each catalogue. A job's name becomes part of the name of its functions. */
export const jobs = { poll, sweep, prove } as const satisfies Readonly<Record<string, Job>>;
export type JobName = keyof typeof jobs;
export const jobNames = Object.keys(jobs) as readonly JobName[];
