import { isBeforeVersion, versionNumbers } from '../../lambdas/events/panel-version.ts';
import { betweenVersions } from '../../lambdas/filters/between-versions.ts';
import type { Filter } from '../../lambdas/filters/filter.ts';
import { type Report, readReport, type Span } from '../../lambdas/questions/read-report.ts';
import { csvOf } from '../../lambdas/questions/report-csv.ts';
import { dayOf } from '../../lambdas/run/day-of.ts';
import { instantOf } from '../../lambdas/run/instant.ts';
import { printable } from '../../lambdas/run/printable.ts';
import { safeJson } from '../../lambdas/run/safe-json.ts';
import { howMuchWasRead } from '../../lambdas/store/history/read-part.ts';
import { readWords } from '../../lambdas/store/history/read-part-words.ts';
import { readOptions, required } from '../arguments.ts';
import { type Command, type Io, UsageError } from '../command.ts';
import type { Comparison } from '../compare/compare-catalogues.ts';
import { comparisonCsv } from '../compare/comparison-csv.ts';
import { comparisonDocument } from '../compare/comparison-document.ts';
import { runComparison } from '../compare/run-comparison.ts';
import { filterOptions, readFilter } from '../filter-options.ts';
import { historyOptions, openHistory, readCatalogueName } from '../history-options.ts';
import { identityOptions } from '../identity/identity-options.ts';
import { writeDocument } from '../output.ts';
import { createProgress } from '../progress.ts';
import { documentOf } from '../report/document.ts';
import { htmlOf } from '../report/html.ts';
import { unknownVersions, versionsNamed } from '../report/known-versions.ts';
import { markdownOf } from '../report/markdown.ts';
import { type AskedVersions, compareVersions } from '../report/version-report.ts';

const layouts = {
  markdown: (report: Report) => markdownOf(documentOf(report)),
  html: (report: Report) => htmlOf(documentOf(report)),
  csv: csvOf,
  json: (report: Report) => `${safeJson(JSON.stringify(report, jsonValue, 2))}\n`,
} as const;

const comparisonLayouts: { readonly [Format in keyof typeof layouts]: (comparison: Comparison) => string } = {
  markdown: (comparison) => markdownOf(comparisonDocument(comparison)),
  html: (comparison) => htmlOf(comparisonDocument(comparison)),
  csv: comparisonCsv,
  json: (comparison) => `${safeJson(JSON.stringify(comparison, null, 2))}\n`,
};

/** The report without the changes of the mode of inheritance. */
const withoutInheritance = (report: Report): Report => ({
  ...report,
  changes: {
    ...report.changes,
    panels: report.changes.panels.map((panel) => ({ ...panel, inheritance: [] })),
  },
});

const jsonValue = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? dayOf(value) : value;

async function run(args: readonly string[], io: Io): Promise<number> {
  const { state, stage, config, table, name } = historyOptions;
  const { panel, gene } = filterOptions;
  const values = readOptions(args, {
    state,
    stage,
    config,
    table,
    name,
    compare: { type: 'string' },
    from: { type: 'string' },
    to: { type: 'string' },
    format: { type: 'string', default: 'markdown' },
    output: { type: 'string' },
    panel,
    'panel-type': filterOptions['panel-type'],
    'r-code': filterOptions['r-code'],
    gene,
    'genes-file': filterOptions['genes-file'],
    'entity-type': filterOptions['entity-type'],
    catalogue: { type: 'string' },
    'without-inheritance': { type: 'boolean' },
    ...identityOptions,
  });
  const format = readLayout(values.format);
  if (values.compare !== undefined) {
    const { compare, state: directory, stage: deployed, config: settings, table: marks, ...others } = values;
    const needless = Object.keys(others).filter((option) => option !== 'format' && option !== 'output');
    if (needless.length > 0) throw new UsageError(`--${needless[0]} does not go with --compare`);
    const place = { state: directory, stage: deployed, config: settings, table: marks };
    const comparison = await runComparison(compare, place, io);
    await writeDocument(comparisonLayouts[format](comparison), values.output, io);
    return 0;
  }
  const { 'without-inheritance': leavesOut = false } = values;
  const layout = (report: Report): string => layouts[format](leavesOut ? withoutInheritance(report) : report);
  const from = required('--from A', values.from);
  const { to: _until, compare: _none, ...filtering } = values;
  const filter = await readFilter(filtering, io);
  const span = readSpan(from, values.to, filter, io);
  const compared = await compareVersions(span.between, values, io);
  if (compared.report) {
    await writeReport(layout, compared.report, values.output, io);
    return 0;
  }
  const opened = await openHistory(values, io);
  const { close } = opened;
  try {
    const query = { ...readCatalogueName(values), ...span.period, filter };
    const read = await readReport(opened, query, span, createProgress(io, 'events'));
    const unknown = await unknownOf(span.between, opened, query.catalogue);
    const report = {
      ...read,
      warnings: [...read.warnings, ...unknown, ...compared.why],
      isAnswer: read.isAnswer && unknown.length === 0,
    };
    await writeReport(layout, report, values.output, io);
    if (howMuchWasRead(report.read) !== 'all') io.stderr.write(`${wholeAnswerWords(report.read)}\n`);
    return report.isAnswer ? 0 : 3;
  } finally {
    close();
  }
}

async function unknownOf(
  { from, to, filter }: AskedVersions,
  place: Parameters<typeof versionsNamed>[0],
  catalogue: string | undefined,
): Promise<readonly string[]> {
  const panel = filter.panels?.[0] ?? '';
  return unknownVersions(`The panel ${panel}`, [from, to], await versionsNamed(place, panel, catalogue));
}

async function writeReport(
  layout: (report: Report) => string,
  report: Report,
  output: string | undefined,
  io: Io,
): Promise<void> {
  await writeDocument(layout(report), output, io);
  for (const sentence of report.warnings) io.stderr.write(`${printable(sentence)}\n`);
}

const wholeAnswerWords = (read: Report['read']): string =>
  howMuchWasRead(read) === 'nothing'
    ? 'Nothing of this period was read: the report says nothing about it.'
    : `The report is about what happened ${readWords(read)}.`;

function readLayout(text: string): keyof typeof layouts {
  if (Object.hasOwn(layouts, text)) return text as keyof typeof layouts;
  throw new UsageError(`--format ${JSON.stringify(text)}: expected markdown, html, csv, json`);
}

/** The two versions of a panel between which a report lies. */
type AskedSpan = Span & { readonly between: AskedVersions };

function readSpan(from: string, to: string | undefined, filter: Filter, io: Io): AskedSpan {
  if (versionNumbers(from) && (to === undefined || versionNumbers(to))) {
    if (filter.panels?.length !== 1)
      throw new UsageError('versions are those of one panel: give one --panel');
    const last = to ?? '999999999.999999999';
    const title = to === undefined ? `after version ${from}` : `version ${from} to ${to}`;
    if (to !== undefined && !isBeforeVersion(from, to)) {
      throw new UsageError(`--to ${to} is not a version after --from ${from}`);
    }
    const isWhole = Object.keys(filter).length === 1;
    return {
      title,
      period: {},
      now: instantOf(io.clock.now()),
      includes: betweenVersions(from, last),
      ...(isWhole && { versions: { from, to: to ?? null } }),
      between: { from, to, title, filter },
    };
  }
  throw new UsageError(
    `--from ${JSON.stringify(from)}: expected a version such as 3.1; a period has --since and --until`,
  );
}

/** Compares two versions of a panel, or two catalogues. */
/** What the question about a period does not have: two versions, or two catalogues. */
const usage = `gene-panel-notifier report --panel PANEL --from VERSION --to VERSION | --compare NAME,NAME

  --from VERSION       the version of before
  --to VERSION         the version of after
  --catalogue URL      ask this catalogue's archive for versions that are not kept
  --compare NAME,NAME  two catalogues, by their names
`;

export const command: Command = { name: 'report', usage, run };
