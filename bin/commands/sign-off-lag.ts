import { readLag, type SignOffLag } from '../../lambdas/panels/read-lag.ts';
import { lagCsv, lagNdjson } from '../../lambdas/questions/lag-documents.ts';
import { lagOrders, lagRows } from '../../lambdas/questions/lag-rows.ts';
import { instantOf } from '../../lambdas/run/instant.ts';
import { printable } from '../../lambdas/run/printable.ts';
import { lagLimits } from '../../lambdas/words/lag-limits.ts';
import { readChoice, readOptions } from '../arguments.ts';
import type { Command, Io } from '../command.ts';
import { stageUsage } from '../history-options.ts';
import { defaultState } from '../local/open-state.ts';
import { writeDocument } from '../output.ts';
import { panelsOf } from '../panel-state/find-states.ts';
import { lagTable } from '../panel-state/lag-table.ts';
import { type OpenPanelStates, openPanelStates } from '../panel-state/open-panel-states.ts';

const usage = `
gene-panel-notifier sign-off-lag [--panel ID|NAME]... [--r-code CODE]... [options]

Laboratories test by the signed-off version of a panel. Lists what is green in the newest version of a panel and not in its
signed-off one, since when and on which panels; before these, what is green in the signed-off version and no longer green; after
them, what is green in both with a mode of inheritance of another group.
A panel that cannot be compared is named, and the exit code is then 1.

The versions are those that baseline, watch or the deployed notifier read; nothing is asked of the catalogue.

Options:
  --panel ID|NAME      only this panel, by number, older id, present or former name; several times for several
  --r-code CODE        only panels with this code of the test directory; several times for several
  --state DIR          the folder that poll or watch filled (default: ${defaultState})
${stageUsage}
  --name NAME          which catalogue, where the folder or stage has several
  --order ORDER        age (default): what has waited longest first; panel: by the name of the panel
  --without-inheritance  leave out changes of the mode of inheritance
  --format FORMAT      table (default), csv, or ndjson: one object a line
  --output FILE        write to a file instead of printing; what the file held before is replaced

Exit codes: 0 done, 1 failed, or something is unknown, 2 wrong arguments, 3 there is no such panel.

Examples:
  gene-panel-notifier sign-off-lag
  gene-panel-notifier sign-off-lag --r-code R208 --r-code R59
  gene-panel-notifier sign-off-lag --format csv --output not-signed-off.csv
`;

const formats = ['table', 'csv', 'ndjson'] as const;

async function run(args: readonly string[], io: Io): Promise<number> {
  const values = readOptions(args, {
    state: { type: 'string' },
    stage: { type: 'string' },
    config: { type: 'string' },
    name: { type: 'string' },
    panel: { type: 'string', multiple: true, default: [] },
    'r-code': { type: 'string', multiple: true, default: [] },
    order: { type: 'string', default: 'age' },
    'without-inheritance': { type: 'boolean', default: false },
    format: { type: 'string', default: 'table' },
    output: { type: 'string' },
  });
  const format = readChoice('--format', values.format, formats);
  const order = readChoice('--order', values.order, lagOrders);
  const opened = await openPanelStates(values, undefined, io);
  try {
    const panels = await askedPanels(values, opened, io);
    const now = instantOf(io.clock.now());
    const { catalogue, store: states, history } = opened;
    const found = await readLag({ catalogue, states, history, now, ...(panels && { panels }) });
    const lag = values['without-inheritance']
      ? { ...found, panels: found.panels.map((panel) => ({ ...panel, inheritance: [] })) }
      : found;
    const limits = lagLimits(lag, catalogue).map(({ sentence }) => sentence);
    await writeDocument(
      documentOf(lag, { format, limits, context: { catalogue, now, order } }),
      values.output,
      io,
    );
    for (const sentence of limits) io.stderr.write(`${printable(sentence)}\n`);
    return lag.unknown.length > 0 || !lag.hasSignOffs ? 1 : 0;
  } finally {
    opened.close();
  }
}

interface DocumentOptions {
  readonly format: (typeof formats)[number];
  readonly limits: readonly string[];
  readonly context: Parameters<typeof lagRows>[1];
}

function documentOf(lag: SignOffLag, { format, limits, context }: DocumentOptions): string {
  const rows = lagRows(lag, context);
  switch (format) {
    case 'table':
      return lagTable(rows, lag.panels.length);
    case 'csv':
      return lagCsv(rows, limits);
    case 'ndjson':
      return lagNdjson(rows);
    default:
      return format satisfies never;
  }
}

/** The panels that the options name; null where none is named. */
async function askedPanels(
  { panel, 'r-code': rCodes }: { readonly panel: readonly string[]; readonly 'r-code': readonly string[] },
  opened: OpenPanelStates,
  { clock }: Io,
): Promise<ReadonlyMap<number, string> | null> {
  const asked = [
    ...panel.map((name) => ({ panel: name, rCode: undefined })),
    ...rCodes.map((rCode) => ({ panel: undefined, rCode })),
  ];
  if (asked.length === 0) return null;
  const found = await Promise.all(asked.map((one) => panelsOf(one, { opened, catalogue: null, clock })));
  return new Map(found.flat().map(({ id, name }) => [id, name]));
}

export const command: Command = { name: 'sign-off-lag', usage, run };
