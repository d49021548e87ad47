import type * as z from 'zod';
import type { Io } from '../command.ts';
import { awsProblem, DeployedStageError } from './aws-problem.ts';
import { findStage, type StageValues } from './find-stage.ts';

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
