import { existsSync } from 'node:fs';
import type { Stack } from '@aws-sdk/client-cloudformation';
import type * as z from 'zod';
import { capitalize } from '../../lambdas/events/capitalize.ts';
import { type Topic, topics } from '../../lambdas/events/topics.ts';
import type { CatalogueListing } from '../../lambdas/store/listing.ts';
import { type Io, UsageError } from '../command.ts';
import { awsProblem, DeployedStageError } from './aws-problem.ts';

/** A deployed stage, as the outputs of its stack name its parts. */
export type DeployedStage = Awaited<ReturnType<typeof findStage>>;

export interface StageValues {
  readonly stage: string;
  /** The settings file; `notifier.config.ts` where absent. */
  readonly config?: string | undefined;
}

const DEFAULT_CONFIG = 'notifier.config.ts';
const DEFAULT_NAME = 'gene-panel-notifier';

/**
 * Finds a deployed stage with the AWS credentials of the environment.
 * @throws {UsageError} when the settings have no such stage
 * @throws {SettingsError} when the settings file cannot be read
 * @throws {DeployedStageError} when its stack cannot be read
 */
export async function findStage(values: StageValues, io: Pick<Io, 'clock'>) {
  const { stack, region: stated } = await stackOf(values, io);
  const { region, values: outputs } = await readStackOutputs(stack, stated);
  const output = (name: string): string => {
    const value = outputs[name];
    if (value) return value;
    throw new DeployedStageError(
      `Reading the stack "${stack}" in ${region}: it has no output ${name}. Deploy it with this version of the notifier first.`,
    );
  };
  return {
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
  { clock }: Pick<Io, 'clock'>,
): Promise<{ readonly stack: string; readonly region?: string | undefined }> {
  if (!/^[a-z][a-z0-9-]*$/.test(stage)) {
    throw new UsageError(
      `--stage ${JSON.stringify(stage)}: expected the name of a stage of the settings, such as production`,
    );
  }
  if (config === undefined && !existsSync(DEFAULT_CONFIG)) return { stack: `${DEFAULT_NAME}-${stage}` };
  const { readSettings } = await import('../../lib/read-settings.ts');
  const file = config ?? DEFAULT_CONFIG;
  const { name, stages } = await readSettings(file, { now: new Date(clock.now()) });
  if (Object.hasOwn(stages, stage)) return { stack: `${name}-${stage}`, region: stages[stage]?.region };
  throw new UsageError(
    `--stage ${JSON.stringify(stage)}: ${file} has no such stage; it has ${Object.keys(stages).join(', ')}`,
  );
}

/**
 * The outputs of a CloudFormation stack, read with the AWS credentials of the environment. The SDK is loaded here alone.
 * @param region where the stack is; the region of the environment where absent
 * @throws {DeployedStageError} when there is no such stack, or it cannot be read
 */
async function readStackOutputs(stack: string, region?: string) {
  const { CloudFormationClient, DescribeStacksCommand } = await import('@aws-sdk/client-cloudformation');
  const client = new CloudFormationClient({ ...(region !== undefined && { region }) });
  try {
    const used = await client.config.region();
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: stack }));
    return {
      /** The region in which the stack was found. */
      region: used,
      values: outputsOf(Stacks[0]),
    };
  } catch (cause) {
    throw await failure(cause, stack, () => client.config.region());
  } finally {
    client.destroy();
  }
}

const outputsOf = (stack: Stack | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (stack?.Outputs ?? []).map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
  );

async function failure(
  cause: unknown,
  stack: string,
  regionOf: () => Promise<string>,
): Promise<DeployedStageError> {
  const { message = '' } = cause as Error;
  if (/does not exist/.test(message)) {
    return new DeployedStageError(
      `Reading the stack "${stack}" in ${await regionOf()}: this account has no such stack there. Check the stage's name, --config (the settings file that it was deployed with), AWS_REGION and AWS_PROFILE.`,
      { cause },
    );
  }
  const { seen, remedy } = awsProblem(cause);
  return new DeployedStageError(`Reading the stack "${stack}": ${seen}. ${remedy}`, { cause });
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
  { stateTable: table, catalogues, region }: DeployedStage,
  { clock }: Pick<Io, 'clock'>,
): Promise<readonly CatalogueListing[]> {
  const [{ DynamoDBClient }, { readListings }] = await Promise.all([
    import('@aws-sdk/client-dynamodb'),
    import('../../lambdas/store/dynamodb-listing.ts'),
  ]);
  const dynamodb = new DynamoDBClient({ region });
  try {
    return await readListings({ dynamodb, table, catalogues, clock });
  } finally {
    dynamodb.destroy();
  }
}
