import { readOptions } from '../arguments.ts';
import type { Command, Io } from '../command.ts';
import { checkPlace, stageUsage } from '../history-options.ts';
import { defaultState, openForReading } from '../local/open-state.ts';
import { DEFAULT_PORT, openPage, readPort } from '../page-options.ts';
import { untilAborted } from '../until-aborted.ts';

const usage = `
gene-panel-notifier page [--state DIR | --stage NAME] [options]

Serves the page that watch serves, without polling, until Ctrl-C (docs/guides/page.md). It shows what watch or the deployed
notifier keeps, and what they add meanwhile. Only this machine can open it.

With --stage it first copies the history of the stage, which takes minutes for a long one, to a temporary file that it
deletes at the end; then it reads what is new every minute. It writes nothing to the stage.

Options:
  --state DIR          the folder that poll or watch fills (default: ${defaultState})
${stageUsage}
  --port N             the port of the page; 0: a free one (default: ${DEFAULT_PORT}, or a free one where that is taken)

Exit codes: 0 stopped, 1 could not start, 2 wrong arguments.

Examples:
  gene-panel-notifier page
  gene-panel-notifier page --stage production
`;

async function run(args: readonly string[], io: Io): Promise<number> {
  const values = readOptions(args, {
    state: { type: 'string' },
    stage: { type: 'string' },
    config: { type: 'string' },
    port: { type: 'string' },
  });
  checkPlace(values);
  const port = readPort(values.port);
  return values.stage === undefined
    ? serveFolder(values.state ?? defaultState, port, io)
    : serveStage(values.stage, { config: values.config, port }, io);
}

async function serveFolder(state: string, port: number | undefined, io: Io): Promise<number> {
  const file = openForReading(state);
  try {
    const page = await openPage({ file }, port, io);
    io.stderr.write(`Serving what ${state} keeps (Ctrl-C stops)\n`);
    await untilAborted(io.signal);
    await page.close();
    return 0;
  } finally {
    file.close();
  }
}

interface StageValues {
  readonly config: string | undefined;
  readonly port: number | undefined;
}

async function serveStage(stage: string, { config, port }: StageValues, io: Io): Promise<number> {
  const [{ findStage }, { openStageCopy }] = await Promise.all([
    import('../deployed/find-stage.ts'),
    import('../deployed/stage-copy.ts'),
  ]);
  const found = await findStage({ stage, config }, io);
  io.stderr.write(`Copying the history of stage ${stage}\n`);
  const { signal } = io;
  const copy = await openStageCopy(stage, found, io).catch((error: unknown) => {
    if (signal.aborted) return null;
    throw error;
  });
  if (copy === null) return 0;
  try {
    const page = await openPage({ file: copy.file, deployed: copy.place }, port, io);
    io.stderr.write(`Serving stage ${stage} (Ctrl-C stops)\n`);
    await copy.follow();
    await page.close();
    return 0;
  } finally {
    copy.close();
  }
}

export const command: Command = { name: 'page', usage, run };
