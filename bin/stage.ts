import { existsSync } from 'node:fs';
import type * as z from 'zod';
import { type Topic, topics } from '../lambdas/events/kinds.ts';
import { followedPanels } from '../lambdas/filters/followed-panels.ts';
import { parseInstant } from '../lambdas/run/instant.ts';
import { capitalize } from '../lambdas/run/text.ts';
import type { CatalogueListing } from '../lambdas/store/listing.ts';
import type { Stage } from '../lib/settings.ts';
import { awsProblem, DeployedStageError, type Io, UsageError } from './command.ts';

/** Where the settings are, if no option names another file. */
export const DEFAULT_CONFIG = 'notifier.config.ts';

const DEFAULT_NAME = 'gene-panel-notifier';

/** One stage of a settings file. */
export type SettingsStage = Awaited<ReturnType<typeof readStage>>;

/**
 * Reads a settings file and returns the stage asked for, else the first.
 * @throws {SettingsError} when the file cannot be used
 * @throws {UsageError} when it has no such stage
 */
export async function readStage(file: string, wanted: string | undefined, { clock }: Pick<Io, 'clock'>) {
  // Loaded where settings are read: their schemas are as large as a command.
  const [{ readSettings }, { filtersOf }] = await Promise.all([
    import('../lib/read-settings.ts'),
    import('../lib/subscription-settings.ts'),
  ]);
  const { name: notifier, stages } = await readSettings(file, { now: new Date(clock.now()) });
  const name = wanted ?? Object.keys(stages)[0] ?? '';
  const stage: Stage | undefined = Object.hasOwn(stages, name) ? stages[name] : undefined;
  if (!stage)
    throw new UsageError(
      `--stage ${JSON.stringify(name)}: ${file} has no such stage; it has ${Object.keys(stages).join(', ')}`,
    );
  return {
    file,
    name,
    /** Begins the names of what the stage deploys. */
    prefix: `${notifier}-${name}`,
    stage,
    /** The filters of its subscriptions. */
    filters: filtersOf(stage.subscriptions),
  };
}

/**
 * The catalogue of a stage; `name` chooses among several.
 * @throws {UsageError} when the stage has several and none is chosen, or none of this name
 */
export function settingsCatalogue({ file, stage, filters }: SettingsStage, name?: string) {
  const names = Object.keys(stage.catalogues);
  const chosen = name ?? (names.length === 1 ? names[0] : undefined);
  const found =
    chosen !== undefined && Object.hasOwn(stage.catalogues, chosen) ? stage.catalogues[chosen] : undefined;
  if (chosen === undefined || !found) {
    const seen = name === undefined ? 'it names none of them' : `saw --name ${JSON.stringify(name)}`;
    throw new UsageError(
      `${file} has the catalogues ${names.join(', ')}, and one watch reads one: ${seen}. Give --name with one of them.`,
    );
  }
  const { access } = found;
  const from = found.from === undefined ? null : parseInstant(found.from);
  return {
    name: chosen,
    url: found.base,
    original: found.original,
    everySeconds: found.pollEveryMinutes * 60,
    sweepMinutes: found.sweepEveryMinutes,
    from: from ?? undefined,
    movedFrom: found.movedFrom,
    shrunkenPercent: found.shrunkenListingPercent,
    sameChangePercent: found.sameChangePercent,
    states: found.states,
    /** The panels that subscriptions name. */
    followed: followedPanels(filters, chosen),
    /** The catalogues that it is compared with, and the files of pairs where they have one. */
    comparedWith: found.comparedWith,
    /** Whether it is read with a credential, which is never part of the settings. */
    needsCredential: access.kind !== 'none',
    /** The options of the identity provider, where its tokens are used. */
    identity:
      access.kind === 'client-credentials'
        ? {
            'auth-url': access.authUrl,
            tenant: access.tenantId,
            ...(access.resource !== undefined && { resource: access.resource }),
            ...(access.scope !== undefined && { scope: access.scope }),
            ...(access.basic !== undefined && { basic: access.basic }),
          }
        : {},
  };
}

/** The options that name a deployed stage. */
export interface StageValues {
  readonly stage: string;
  /** The settings file; `notifier.config.ts` where absent. */
  readonly config?: string | undefined;
}

/** A deployed stage, as the outputs of its stack name its parts, and a client of its tables. */
type DeployedStage = Awaited<ReturnType<typeof openStage>>;

/**
 * Opens the tables of a deployed stage with the AWS credentials of the environment.
 * @throws {UsageError | SettingsError | DeployedStageError} as `findStage`
 */
export async function openStage(values: StageValues, io: Pick<Io, 'clock'>) {
  const found = await findStage(values, io);
  return { ...found, ...(await openTables(found.region)) };
}

/**
 * A client of tables, with the AWS credentials of the environment.
 * @param region that of the environment where absent
 */
export async function openTables(region?: string) {
  const { DynamoDBClient } = await import('@aws-sdk/client-dynamodb');
  const dynamodb = new DynamoDBClient({ ...(region !== undefined && { region }) });
  return { dynamodb, close: () => dynamodb.destroy() };
}

/**
 * Finds a deployed stage with the AWS credentials of the environment.
 * @throws {UsageError} when the settings have no such stage
 * @throws {SettingsError} when the settings file cannot be read
 * @throws {DeployedStageError} when its stack cannot be read
 */
export async function findStage(values: StageValues, io: Pick<Io, 'clock'>) {
  const { stack, region: stated } = await stackOf(values, io);
  const { region, outputs } = await readStackOutputs(stack, stated);
  const output = (name: string): string => {
    const value = outputs[name];
    if (value) return value;
    throw new DeployedStageError(
      `Reading the stack "${stack}" in ${region}: it has no output ${name}. Deploy it with this version of the notifier first.`,
    );
  };
  return {
    name: values.stage,
    stack,
    region,
    /** Name of the table of marks. */
    stateTable: output('TableName'),
    /** Name of the table of published events. */
    historyTable: output('HistoryTable'),
    /** Name of the table of decisions; undefined where the stage has no worklist. */
    worklistTable: outputs.WorklistTable,
    /** Name of the table of sessions and the audit log; undefined where the stage serves no page. */
    peopleTable: outputs.PeopleTable,
    catalogues: output('Catalogues').split(','),
    topicArns: Object.fromEntries(
      topics.map((topic) => [topic, output(`Topic${capitalize(topic)}`)]),
    ) as Record<Topic, string>,
  };
}

/** The stack is named `<name of the settings>-<stage>`. Without a settings file, the name is the usual one. */
async function stackOf(
  { stage, config }: StageValues,
  io: Pick<Io, 'clock'>,
): Promise<{ readonly stack: string; readonly region?: string | undefined }> {
  if (!/^[a-z][a-z0-9-]*$/.test(stage)) {
    throw new UsageError(
      `--stage ${JSON.stringify(stage)}: expected the name of a stage of the settings, such as production`,
    );
  }
  if (config === undefined && !existsSync(DEFAULT_CONFIG)) return { stack: `${DEFAULT_NAME}-${stage}` };
  const settings = await readStage(config ?? DEFAULT_CONFIG, stage, io);
  return { stack: settings.prefix, region: settings.stage.region };
}

/** The outputs of a CloudFormation stack, and the region in which it was found. The SDK is loaded here alone. */
async function readStackOutputs(stack: string, stated: string | undefined) {
  const { CloudFormationClient, DescribeStacksCommand } = await import('@aws-sdk/client-cloudformation');
  const client = new CloudFormationClient({ ...(stated !== undefined && { region: stated }) });
  try {
    const region = await client.config.region();
    const { Stacks: [found] = [] } = await client.send(new DescribeStacksCommand({ StackName: stack }));
    const outputs: Readonly<Record<string, string>> = Object.fromEntries(
      (found?.Outputs ?? []).map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
    );
    return { region, outputs };
  } catch (cause) {
    const { seen, remedy } = awsProblem(cause);
    const why = /does not exist/.test((cause as Error).message ?? '')
      ? ` in ${await client.config.region()}: this account has no such stack there. Check the stage's name, --config (the settings file that it was deployed with), AWS_REGION and AWS_PROFILE.`
      : `: ${seen}. ${remedy}`;
    throw new DeployedStageError(`Reading the stack "${stack}"${why}`, { cause });
  } finally {
    client.destroy();
  }
}

interface Asked<Schema extends z.ZodType> {
  /** The event that the function gets. */
  readonly request: object;
  readonly answer: Schema;
  /** Names the answer in messages: `list of messages`. */
  readonly called: string;
}

/**
 * What the function that sends the messages of a deployed stage answers.
 * @throws {DeployedStageError} when it cannot be called, or answers something else
 */
export async function askNotify<Schema extends z.ZodType>(
  { request, answer, called }: Asked<Schema>,
  values: StageValues,
  io: Pick<Io, 'clock'>,
): Promise<z.infer<Schema>> {
  const { stack, region } = await findStage(values, io);
  const FunctionName = `${stack}-notify`;
  const { InvokeCommand, LambdaClient } = await import('@aws-sdk/client-lambda');
  const client = new LambdaClient({ region });
  try {
    const Payload = Buffer.from(JSON.stringify(request));
    const response = await client.send(new InvokeCommand({ FunctionName, Payload }));
    const seen: unknown = JSON.parse(Buffer.from(response.Payload ?? []).toString() || 'null');
    const { data } = answer.safeParse(seen);
    if (data !== undefined) return data;
    throw new DeployedStageError(
      `The function ${FunctionName} gave no ${called}${response.FunctionError ? ': it failed, see its log' : ''}. Deploy it with this version of the notifier, then try again.`,
    );
  } catch (cause) {
    if (cause instanceof DeployedStageError) throw cause;
    const { seen, remedy } = awsProblem(cause);
    const hint =
      (cause as Error).name === 'ResourceNotFoundException'
        ? 'It is there once a subscription, or operations, has channels; deploy those settings first.'
        : remedy;
    throw new DeployedStageError(`Calling the function ${FunctionName}: ${seen}. ${hint}`, { cause });
  } finally {
    client.destroy();
  }
}

/**
 * The last listing of panels of each catalogue of a stage, where there is one.
 * @throws {StateError} when the table cannot be read
 */
export async function readListingsOfStage(
  { dynamodb, stateTable: table, catalogues }: DeployedStage,
  { clock }: Pick<Io, 'clock'>,
): Promise<readonly CatalogueListing[]> {
  const { readListings } = await import('../lambdas/store/items-dynamodb.ts');
  return readListings({ dynamodb, table, catalogues, clock });
}
