import { createWorklistStore, WORKLIST } from '../../lambdas/questions/worklist/worklist-store.ts';
import { createSqliteItems } from '../../lambdas/store/items-sqlite.ts';
import { counted } from '../../lambdas/words/counted.ts';
import type { PageOptions } from '../../page/route-context.ts';
import { readOptions } from '../arguments.ts';
import type { Command, Io } from '../command.ts';
import { endSessions } from '../end-sessions.ts';
import { checkPlace, stageUsage } from '../history-options.ts';
import { caseFormOptions, caseFormUsage, pageCases } from '../impact/case-file.ts';
import { defaultState, openForReading } from '../local/open-state.ts';
import { openPageAccess, pageAccessOptions, pageAccessUsage } from '../page-access.ts';
import { DEFAULT_PORT, openPage, type PageListening, readPort } from '../page-options.ts';
import { untilAborted } from '../until-aborted.ts';
import { worklistSettingsIn } from '../worklist/open-worklist.ts';

const usage = `
gene-panel-notifier page [--state DIR | --stage NAME] [options]
gene-panel-notifier page --end-sessions PERSON|all [--people DIR | --stage NAME]

Serves the page that watch serves, without polling, until Ctrl-C (docs/guides/page.md). It shows what watch or the deployed
notifier keeps, and what they add meanwhile. Only this machine can open it, unless --sign-in says how a team signs in.

With --stage it first copies the history of the stage, which takes minutes for a long one, to a temporary file that it
deletes at the end; then it reads what is new every minute. It writes nothing to the stage but decisions.

Options:
  --state DIR          the folder that poll or watch fills (default: ${defaultState})
${stageUsage}
  --cases FILE         count on the worklist the cases of this file that each entry concerns (docs/guides/worklist.md)
${caseFormUsage}
  --port N             the port of the page; 0: a free one (default: ${DEFAULT_PORT}, or a free one where that is taken)
${pageAccessUsage}
  --end-sessions PERSON|all
                       instead of serving, end the sessions of a person, as the audit log names them, or of everybody;
                       with --stage, those of the page on AWS

Exit codes: 0 stopped, 1 could not start, 2 wrong arguments.

Examples:
  gene-panel-notifier page
  gene-panel-notifier page --stage production
  gene-panel-notifier page --sign-in sign-in.json --listen 0.0.0.0 --certificate page.pem --key page.key --port 443
`;

async function run(args: readonly string[], io: Io): Promise<number> {
  const values = readOptions(args, {
    state: { type: 'string' },
    stage: { type: 'string' },
    config: { type: 'string' },
    port: { type: 'string' },
    cases: { type: 'string' },
    ...caseFormOptions,
    'end-sessions': { type: 'string' },
    ...pageAccessOptions,
  });
  const { 'end-sessions': whose, stage, config } = values;
  if (whose !== undefined) {
    const ended = await endSessions(whose, values, io);
    io.stdout.write(`${counted(ended, 'session')} ended\n`);
    return ended === 0 && whose !== 'all' ? 1 : 0;
  }
  checkPlace(values);
  const port = readPort(values.port);
  const cases = await pageCases(values, io);
  const { listening, people, close } = await openPageAccess(values, io);
  const given = { ...people, ...cases };
  try {
    return stage === undefined
      ? await serveFolder(values.state ?? defaultState, { port, listening, given }, io)
      : await serveStage(stage, { config, port, listening, given }, io);
  } finally {
    close();
  }
}

interface Serving {
  readonly port: number | undefined;
  readonly listening: PageListening;
  readonly given: Pick<PageOptions, 'audit' | 'notes' | 'cases'>;
}

async function serveFolder(state: string, { port, listening, given }: Serving, io: Io): Promise<number> {
  const file = openForReading(state);
  try {
    // Those of the command worklist: both show the same entries.
    const settings = await worklistSettingsIn(undefined, undefined, io);
    const worklist = {
      store: createWorklistStore(createSqliteItems(file, { what: WORKLIST, now: io.clock.now })),
      settings,
    };
    const page = await openPage({ file, worklist, ...given }, port, io, listening);
    io.stderr.write(`Serving what ${state} keeps (Ctrl-C stops)\n`);
    await untilAborted(io.signal);
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
  const [{ findStage }, { followStage }, { DynamoDBClient }, { createDynamoItems }] = await Promise.all([
    import('../deployed/find-stage.ts'),
    import('../deployed/follow-stage.ts'),
    import('@aws-sdk/client-dynamodb'),
    import('../../lambdas/store/items-dynamodb.ts'),
  ]);
  const settings = await worklistSettingsIn(config, stage, io);
  const found = await findStage({ stage, config }, io);
  io.stderr.write(`Copying the history of stage ${stage}\n`);
  const { signal } = io;
  const copy = await followStage(stage, found, io).catch((error: unknown) => {
    if (signal.aborted) return null;
    throw error;
  });
  if (copy === null) return 0;
  const dynamodb = new DynamoDBClient({ region: found.region });
  const { worklistTable: table } = found;
  const worklist =
    table === undefined
      ? null
      : {
          store: createWorklistStore(createDynamoItems({ dynamodb, table, what: WORKLIST, clock: io.clock })),
          settings,
        };
  try {
    const page = await openPage(
      { file: copy.file, deployed: copy.place, worklist, ...given },
      port,
      io,
      listening,
    );
    io.stderr.write(`Serving stage ${stage} (Ctrl-C stops)\n`);
    await copy.follow();
    await page.close();
    return 0;
  } finally {
    dynamodb.destroy();
    copy.close();
  }
}

export const command: Command = { name: 'page', usage, run };
