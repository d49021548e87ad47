import { type Impact, impactOf } from '../../lambdas/impact/impact.ts';
import { readChoice, readOptions } from '../arguments.ts';
import { type Command, type Io, UsageError } from '../command.ts';
import { identityOptions } from '../identity/identity-options.ts';
import {
  caseRows,
  changeRows,
  geneList,
  type ImpactHeading,
  impactHtml,
  impactTable,
  rowWriter,
} from '../impact/impact-documents.ts';
import { readCases, readColumns } from '../impact/read-cases.ts';
import { type Counted, statesOfCases } from '../impact/states-of-cases.ts';
import { openOutput, writeDocument } from '../output.ts';
import { openAskedStates } from '../panel-state/open-asked-states.ts';
import { panelStateOptions, panelStateUsage } from '../panel-state/open-panel-states.ts';

const usage = `
gene-panel-notifier impact --cases FILE [options]

Compares what each case was analysed with to what counts now: which genes, STRs and regions were not green then and are green
now, and which are no longer green. The cases stay on this machine: nothing of them is kept or logged, and messages name only
lines of the file.

A line of the file names a case, a panel (number, R code, present or former name), and the version, the day of the analysis, or
both. A case may have several lines: what was green on any of its panels was analysed. Where something is unknown, the answer
says so and why, and the exit code is 1.

Options:
  --cases FILE         CSV with headings (commas, semicolons or tabs), or one JSON object a line (.ndjson); "-" reads CSV
                       from standard input
  --columns PAIRS      which column is which: case=Referral,panel=Test,version=Panel version,date=Reported
  --counts WHICH       working (default): the newest version of each panel; signed-off: the version that is signed off
  --by WHAT            change (default): "PALB2 on Breast cancer: 214 cases"; case: a row for each change of each case
${panelStateUsage}
  --format FORMAT      table (default), csv, ndjson, html, or genes: HGNC ids or names of what is green now, one a line
  --output FILE        write to a file instead of printing; what the file held before is replaced

Exit codes: 0 done, 1 failed, or something is unknown, 2 wrong arguments.

Examples:
  gene-panel-notifier impact --cases cases.csv
  gene-panel-notifier impact --cases cases.csv --columns "case=Referral,panel=Test,date=Reported" --counts signed-off
  gene-panel-notifier impact --cases cases.csv --by case --format csv --output worklist.csv
`;

const formats = ['table', 'csv', 'ndjson', 'html', 'genes'] as const;
type Format = (typeof formats)[number];

async function run(args: readonly string[], io: Io): Promise<number> {
  const values = readOptions(args, {
    ...panelStateOptions,
    ...identityOptions,
    cases: { type: 'string' },
    columns: { type: 'string' },
    counts: { type: 'string', default: 'working' },
    by: { type: 'string', default: 'change' },
    format: { type: 'string', default: 'table' },
    output: { type: 'string' },
  });
  if (values.cases === undefined) throw new UsageError('give the file with the cases: --cases FILE');
  const { cases: file } = values;
  const columns = readColumns(values.columns);
  const counts = readChoice('--counts', values.counts, ['working', 'signed-off'] as const);
  const by = readChoice('--by', values.by, ['change', 'case'] as const);
  const format = readChoice('--format', values.format, formats);
  if (by === 'case' && format !== 'csv' && format !== 'ndjson') {
    throw new UsageError('--by case goes with --format csv or ndjson');
  }
  if (by === 'case' && file === '-') throw new UsageError('--by case reads the file twice: give a file');
  const { opened, catalogue, close } = await openAskedStates(values, io);
  try {
    const states = statesOfCases({ opened, catalogue, clock: io.clock }, counts);
    const read = () => readCases(file, { columns, stdin: io.stdin });
    const impact = await impactOf(read(), states);
    if (impact.cases === 0) throw new UsageError(`--cases ${JSON.stringify(file)}: it holds no case`);
    const heading = headingOf(counts, io);
    if (by === 'case') await writeRows(caseRows(impact, read()), format, values.output, io);
    else await writeDocument(documentOf(impact, format, heading), values.output, io);
    if (impact.notKnown === 0) return 0;
    io.stderr.write(
      `gene-panel-notifier impact: of ${impact.notKnown} of ${impact.cases} cases not everything is known.\n`,
    );
    return 1;
  } finally {
    await close();
  }
}

function headingOf(counts: Counted, io: Io): ImpactHeading {
  const at = `${new Date(io.clock.now()).toISOString().slice(0, 16).replace('T', ' ')}Z`;
  return {
    at,
    counts:
      counts === 'working' ? 'the newest version of their panels' : 'the signed-off version of their panels',
  };
}

function documentOf(impact: Impact, format: Format, heading: ImpactHeading): string {
  switch (format) {
    case 'table':
      return impactTable(impact, heading);
    case 'html':
      return impactHtml(impact, heading);
    case 'genes':
      return geneList(impact);
    case 'csv':
    case 'ndjson':
      return changeRows(impact).map(rowWriter(format)).join('');
    default:
      return format satisfies never;
  }
}

async function writeRows(
  rows: ReturnType<typeof caseRows>,
  format: Format,
  file: string | undefined,
  io: Io,
): Promise<void> {
  const line = rowWriter(format === 'csv' ? 'csv' : 'ndjson');
  const output = openOutput(file, io, { replaces: true });
  try {
    let waiting: string[] = [];
    for await (const row of rows) {
      waiting.push(line(row));
      if (waiting.length < 1000) continue;
      await output.write(waiting.join(''));
      waiting = [];
    }
    await output.write(waiting.join(''));
  } finally {
    output.close();
  }
}

export const command: Command = { name: 'impact', usage, run };
