import { type AuditLog, createItemAuditLog, openAuditLog } from '../page/sign-in/audit-log.ts';
import { openPeopleFile, PEOPLE } from '../page/sign-in/people-file.ts';
import { createSessions, type Sessions } from '../page/sign-in/sessions.ts';
import { type Io, UsageError } from './command.ts';
import { DeployedStageError } from './deployed/deployed-stage-error.ts';
import { DEFAULT_PEOPLE } from './page-access.ts';

interface EndValues {
  readonly people?: string | undefined;
  readonly stage?: string | undefined;
  readonly config?: string | undefined;
}

/** How long sessions last does not matter to who ends them. */
const lengths = { longest: Number.MAX_SAFE_INTEGER, idle: Number.MAX_SAFE_INTEGER };

/**
 * Ends the sessions of a person, or with `all` those of everybody, also while the page is served: of this machine, or with
 * a stage those of its page on AWS.
 * @param whose as the audit log names the person
 * @returns how many there were
 * @throws {StateError} when what is kept of people cannot be used
 * @throws {UsageError | SettingsError | DeployedStageError} when there is no such stage, or it serves no page
 */
export async function endSessions(whose: string, values: EndValues, io: Io): Promise<number> {
  const { stage, config, people } = values;
  if (stage !== undefined) {
    if (people !== undefined)
      throw new UsageError('--people and --stage name different places; give one of them');
    return endAtStage(whose, { stage, config }, io);
  }
  if (config !== undefined) throw new UsageError('--config goes with --stage NAME only');
  const folder = people ?? DEFAULT_PEOPLE;
  const audit = openAuditLog(folder, io.clock);
  const file = openPeopleFile(io.clock.now, folder);
  try {
    return await end(whose, createSessions(file.items, { clock: io.clock, ...lengths }), audit);
  } finally {
    file.close();
    audit.close();
  }
}

async function endAtStage(
  whose: string,
  values: { readonly stage: string; readonly config: string | undefined },
  io: Io,
): Promise<number> {
  const [{ findStage }, { DynamoDBClient }, { createDynamoItems }] = await Promise.all([
    import('./deployed/find-stage.ts'),
    import('@aws-sdk/client-dynamodb'),
    import('../lambdas/store/items-dynamodb.ts'),
  ]);
  const { region, peopleTable: table } = await findStage(values, io);
  if (table === undefined) {
    throw new DeployedStageError(
      `Ending sessions of stage "${values.stage}": the stage serves no page. Where the page runs on a machine, end them there, without --stage.`,
    );
  }
  const dynamodb = new DynamoDBClient({ region });
  try {
    const items = createDynamoItems({ dynamodb, table, what: PEOPLE, clock: io.clock });
    const sessions = createSessions(items, { clock: io.clock, ...lengths });
    return await end(whose, sessions, createItemAuditLog(items, io.clock));
  } finally {
    dynamodb.destroy();
  }
}

async function end(
  whose: string,
  sessions: Pick<Sessions, 'endAll'>,
  audit: Pick<AuditLog, 'write'>,
): Promise<number> {
  const ended = await sessions.endAll(whose === 'all' ? {} : { person: whose });
  await audit.write({ action: 'sessions-ended', by: 'operator', person: whose, sessions: ended });
  return ended;
}
