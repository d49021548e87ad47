import { PairsFileError, pairsInFile } from '../../lambdas/panels/panel-pairs.ts';
import { createSqliteWorklist, worklistBeside } from '../../lambdas/questions/worklist/kept-changes.ts';
import { WORKLIST } from '../../lambdas/questions/worklist/worklist-record.ts';
import { MINUTE_MS } from '../../lambdas/run/clock.ts';
import { counted } from '../../lambdas/run/text.ts';
import type { ItemStore } from '../../lambdas/store/items.ts';
import type { PageOptions } from '../../page/route-context.ts';
import {
  type AuditLog,
  createItemAuditLog,
  openAuditLog,
  openPeopleFile,
  PEOPLE,
} from '../../page/sign-in/people-file.ts';
import { createProgramTokens, createSessions } from '../../page/sign-in/sessions.ts';
import { readInput } from '../arguments.ts';
import { caseFormOptions, pageCases } from '../cases.ts';
import { DeployedStageError, explainAwsError, type Io, UsageError, untilAborted } from '../command.ts';
import { declareCommand, type OptionValues, text } from '../declare-command.ts';
import { checkPlace, placeOptions, worklistSettingsIn } from '../history-options.ts';
import { defaultState, openForReading } from '../local/open-state.ts';
import {
  DEFAULT_PEOPLE,
  openPage,
  openPageAccess,
  type PageListening,
  pageAccessOptions,
  portOption,
} from '../page-access.ts';

/** How long sessions last does not matter to who ends them. */
const lengths = { longest: Number.MAX_SAFE_INTEGER, idle: Number.MAX_SAFE_INTEGER };

interface Ended {
  readonly sessions: number;
  readonly tokens: number;
}

/**
 * Ends the sessions and the tokens of a person, or with `all` those of everybody, also while the page is served: of this machine, or with
 * a stage those of its page on AWS.
 * @param whose as the audit log names the person
 * @throws {StateError} when what is kept of people cannot be used
 * @throws {UsageError | SettingsError | DeployedStageError} when there is no such stage, or it serves no page
 */
async function endSessions(
  whose: string,
  values: Pick<Values, 'people' | 'stage' | 'config'>,
  io: Io,
): Promise<Ended> {
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
    return await end(whose, file.items, { audit, clock: io.clock });
  } finally {
    file.close();
    audit.close();
  }
}

async function endAtStage(
  whose: string,
  values: { readonly stage: string; readonly config: string | undefined },
  io: Io,
): Promise<Ended> {
  const [{ openStage }, { createDynamoItems }] = await Promise.all([
    import('../stage.ts'),
    import('../../lambdas/store/items-dynamodb.ts'),
  ]);
  const { peopleTable: table, dynamodb, close } = await openStage(values, io);
  try {
    if (table === undefined)
      throw new DeployedStageError(
        `Ending sessions of stage "${values.stage}": the stage serves no page. Where the page runs on a machine, end them there, without --stage.`,
      );
    const items = createDynamoItems({ dynamodb, table, what: PEOPLE, clock: io.clock });
    return await end(whose, items, { audit: createItemAuditLog(items, io.clock), clock: io.clock });
  } finally {
    close();
  }
}

async function end(
  whose: string,
  items: ItemStore,
  { audit, clock }: { readonly audit: Pick<AuditLog, 'write'>; readonly clock: Io['clock'] },
): Promise<Ended> {
  const person = whose === 'all' ? undefined : whose;
  const sessions = await createSessions(items, { clock, ...lengths }).endAll({ person });
  const tokens = await createProgramTokens(items, clock).endAll(person);
  await audit.write({ action: 'sessions-ended', by: 'operator', person: whose, sessions, tokens });
  return { sessions, tokens };
}

const options = {
  ...placeOptions,
  cases: text(
    'FILE',
    'count on the worklist the cases of this file that each entry concerns (docs/guides/worklist.md)',
  ),
  ...caseFormOptions,
  pairs: text(
    'FILE',
    'which panels of two catalogues correspond, as for compare --pairs (docs/panel-states.md)',
  ),
  port: portOption,
  ...pageAccessOptions,
  'end-sessions': text(
    'PERSON|all',
    'instead of serving, end the sessions of a person and the tokens of their programs, as the audit log names them, or of everybody; with --stage, those of the page on AWS',
  ),
};

type Values = OptionValues<typeof options>;

async function run(values: Values, io: Io): Promise<number> {
  const { 'end-sessions': whose, stage, config, port } = values;
  if (whose !== undefined) {
    const { sessions, tokens } = await endSessions(whose, values, io);
    const ended = [counted(sessions, 'session'), ...(tokens > 0 ? [counted(tokens, 'token')] : [])];
    io.stdout.write(`${ended.join(' and ')} ended\n`);
    if (sessions + tokens > 0 || whose === 'all') return 0;
    io.stderr.write(
      `No person "${whose}" has a session or a token. Name the person as the audit log does.\n`,
    );
    return 3;
  }
  checkPlace(values);
  const cases = await pageCases(values, io);
  const pairs = values.pairs === undefined ? null : await readPairs(values.pairs, io);
  const { listening, people, close } = await openPageAccess(values, io);
  const given = { ...people, ...cases, ...(pairs !== null && { pairs: () => pairs }) };
  try {
    return stage === undefined
      ? await serveFolder(values.state ?? defaultState, { port, listening, given }, io)
      : await serveStage(stage, { config, port, listening, given }, io);
  } finally {
    close();
  }
}

async function readPairs(file: string, io: Io): Promise<string> {
  const { text: content } = await readInput(file, io);
  try {
    pairsInFile(content, ['', ''], [[], []]);
    return content;
  } catch (error) {
    throw error instanceof PairsFileError ? new UsageError(`--pairs ${error.message}`) : error;
  }
}

interface Serving {
  readonly port: number | undefined;
  readonly listening: PageListening;
  readonly given: Pick<PageOptions, 'audit' | 'notes' | 'tokens' | 'cases' | 'pairs'>;
}

async function serveFolder(state: string, { port, listening, given }: Serving, io: Io): Promise<number> {
  const file = openForReading(state);
  try {
    // Those of the command worklist: both show the same entries.
    const settings = await worklistSettingsIn({}, io);
    const worklist = {
      store: createSqliteWorklist(file, io.clock),
      settings,
    };
    const page = await openPage({ file, worklist, ...given }, port, io, listening);
    const { signal } = io;
    io.stderr.write(`Serving what ${state} keeps (Ctrl-C stops)\n`);
    await untilAborted(signal);
    await page.close();
    return 0;
  } finally {
    file.close();
  }
}

async function serveStage(
  stage: string,
  { config, port, listening, given }: Serving & { readonly config: string | undefined },
  io: Io,
): Promise<number> {
  const [{ openStage }, { createDynamoItems }, { openStageCopy }] = await Promise.all([
    import('../stage.ts'),
    import('../../lambdas/store/items-dynamodb.ts'),
    import('../../page/stage-copy.ts'),
  ]);
  const settings = await worklistSettingsIn({ config, stage }, io);
  const opened = await openStage({ stage, config }, io);
  const { signal, clock, stderr } = io;
  stderr.write(`Copying the history of stage ${stage}\n`);
  const copy = openStageCopy({ ...opened, clock, signal, explain });
  const read = async (): Promise<void> => {
    await copy.readNew();
    while (await copy.readOlder());
  };
  const { worklistTable: table } = opened;
  const decisions = table !== undefined && createDynamoItems({ ...opened, table, what: WORKLIST, clock });
  const worklist = decisions ? { store: worklistBeside(copy.file, decisions), settings } : null;
  try {
    const isCopied = await read().then(
      () => true,
      (error: unknown) => {
        if (signal.aborted) return false;
        throw error;
      },
    );
    if (!isCopied) return 0;
    const source = { file: copy.file, deployed: copy.place, worklist, ...given };
    const page = await openPage(source, port, io, listening);
    stderr.write(`Serving stage ${stage} (Ctrl-C stops)\n`);
    for (;;) {
      await clock.sleep(MINUTE_MS, signal).catch(() => {});
      if (signal.aborted) break;
      // The page says what failed. A person who stops it waits for no table.
      await Promise.race([read().catch(() => {}), untilAborted(signal)]);
    }
    await page.close();
    return 0;
  } finally {
    copy.close();
    opened.close();
  }
}

const explain = (error: unknown): string =>
  error instanceof Error ? (explainAwsError(error) ?? error.message) : String(error);

export const command = declareCommand({
  name: 'page',
  synopsis: [
    '[--state DIR | --stage NAME] [options]',
    '--end-sessions PERSON|all [--people DIR | --stage NAME]',
  ],
  about: [
    'Serves the page that watch serves, without polling, until Ctrl-C (docs/guides/page.md). It shows what watch or the deployed notifier keeps, and what they add meanwhile. Only this machine can open it, unless --sign-in says how a team signs in.',
    'With --stage it first copies the history of the stage, which takes minutes for a long one, to a temporary file that it deletes at the end; then it reads what is new every minute. It writes nothing to the stage but decisions.',
  ],
  options,
  exitCodes: '0 stopped, 1 could not start, 2 wrong arguments',
  examples: [
    '$0 page',
    '$0 page --stage production',
    '$0 page --sign-in sign-in.json --listen 0.0.0.0 --certificate page.pem --key page.key --port 443',
  ],
  run,
});
