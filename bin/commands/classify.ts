import { activitySchema, type Panel, panelSchema } from '../../lambdas/catalogue/schemas.ts';
import { classifyLog } from '../../lambdas/classifier/classify.ts';
import { correlate, createKnownStates } from '../../lambdas/classifier/correlation/correlate.ts';
import { chunksOfAll } from '../../lambdas/classifier/correlation/pairs.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { compileFilter, type Filter } from '../../lambdas/filters/filter.ts';
import { listingOf, noRequests } from '../../lambdas/panels/listing-of.ts';
import { toMessage } from '../../lambdas/publishing/message.ts';
import { instantOf } from '../../lambdas/run/instant.ts';
import { printable } from '../../lambdas/run/text.ts';
import { createSqliteHistory } from '../../lambdas/store/history/sqlite.ts';
import { namesIn, unknownNames } from '../../lambdas/store/history/unknown-names.ts';
import type { Listing } from '../../lambdas/store/listing.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { catalogueAddress, catalogueName, type Input, InputError, readInput } from '../arguments.ts';
import { type Io, UsageError } from '../command.ts';
import { declareWithOperands, type Run, texts, value } from '../declare-command.ts';
import { filterOptions, readFilter } from '../history-options.ts';
import { eventOutput, openOutput, outputOptions } from '../output.ts';
import { createProgress } from '../terminal.ts';

const activityFields = Object.keys(activitySchema.unwrap().shape);
const panelFields = Object.keys(panelSchema.unwrap().shape);

const options = {
  name: value('NAME', 'the name of the catalogue in the events', catalogueName, 'catalogue'),
  source: value(
    'URL',
    "the catalogue, with or without /api/v1/, for the events' source (default: /api/v1/)",
    catalogueAddress,
  ),
  panels: texts('FILE', "saved pages of /panels/, for the panels' types and disorders"),
  ...outputOptions,
  ...filterOptions,
};

const run: Run<typeof options> = async (values, operands, io) => {
  if (operands.length === 0 && 'isTTY' in io.stdin && io.stdin.isTTY) {
    throw new UsageError('no file was given, and standard input is this terminal');
  }
  const { name, source: url = '/api/v1/', format = 'ndjson' } = values;
  const files = operands.length > 0 ? operands : ['-'];
  const rows: unknown[] = [];
  for (const file of files) rows.push(...rowsIn(await readInput(file, io), activityFields));
  const listing = await listingIn(values.panels ?? [], io);

  const classified = classifyLog(rows);
  const context = { catalogue: { name, url }, listing };
  const known = createKnownStates();
  const filter = await readFilter(values, io);
  const asked = Object.keys(filter).length > 0;
  const kept: PanelEvent[] = [];
  const output = eventOutput(format, openOutput(values.output, io), io);
  const progress = createProgress(io, 'activities');
  const found = { events: 0, unclassified: 0 };
  let done = 0;
  for (const chunk of chunksOfAll(classified)) {
    const correlated = correlate(chunk, known, context);
    known.learn(correlated.learnt);
    if (asked) kept.push(...correlated.events);
    else await output.write(correlated.events.map((event) => ({ event })));
    for (const event of correlated.events) {
      found.events += 1;
      if (event.type === 'gene-panel.activity.unclassified.v1') found.unclassified += 1;
    }
    done += chunk.length;
    progress.show(done, classified.length);
  }
  progress.end();
  const filtered =
    asked && (await filterClassified(kept, { catalogue: name, listing, filter, now: io.clock.now() }));
  if (filtered) await output.write(filtered.events.map((event) => ({ event })));
  output.close();
  if (filtered) for (const sentence of filtered.unknown) io.stderr.write(`${printable(sentence)}\n`);
  const repeated = rows.length - classified.length;
  io.stderr.write(
    `${rows.length} activities${repeated > 0 ? ` (${repeated} of them repeated)` : ''}: ${found.events} events, ${found.unclassified} unclassified${filtered ? `; ${filtered.events.length} match the filter` : ''}\n`,
  );
  return 0;
};

async function listingIn(files: readonly string[], io: Io): Promise<Listing | null> {
  const panels = new Map<number, Panel>();
  for (const file of files) {
    const input = await readInput(file, io);
    for (const [index, row] of rowsIn(input, panelFields).entries()) {
      const panel = panelSchema.safeParse(row);
      if (!panel.success) {
        const [issue] = panel.error.issues;
        throw new InputError(
          `Reading ${input.name}: item ${index + 1} is no panel (${issue?.path.join('.')}: ${issue?.message}).`,
        );
      }
      panels.set(panel.data.id, panel.data);
    }
  }
  if (files.length === 0) return null;
  const now = io.clock.now();
  return { ...listingOf([...panels.values()], instantOf(now), null), listedAt: now, requests: noRequests };
}

export const command = declareWithOperands({
  name: 'classify',
  synopsis: ['[options] [file…]'],
  about: [
    'Reads saved rows of an activity log and prints their events, one JSON object a line, oldest first: a dry run. A file holds a page of /activities/, an array of rows or of pages, or one of these a line (NDJSON). "-", or no file, reads standard input. All files together are one log: a row that occurs twice counts once, and the order of the files does not matter.',
  ],
  options,
  exitCodes:
    '0 done (also when some rows are unclassified), 1 a file cannot be read or holds something else, 2 wrong arguments',
  examples: ['curl -s https://panelapp-aus.org/api/v1/activities/ | $0 classify - | head -3'],
  run,
});

interface ClassifiedLog {
  readonly catalogue: string;
  readonly listing: Listing | null;
  readonly filter: Filter;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Filters the events of a whole log, kept in memory: a renaming is known only once the whole log is read. */
export async function filterClassified(
  all: readonly PanelEvent[],
  { catalogue, listing, filter, now }: ClassifiedLog,
) {
  const file = openStateFile();
  try {
    const history = createSqliteHistory(file);
    const period = { catalogue, since: 0n, until: instantOf(now) };
    await history.append(
      all.map((event) => toMessage(event)),
      period,
    );
    const place = {
      history,
      isLocal: true,
      listings: async () => (listing === null ? [] : [{ catalogue, listing }]),
    };
    const events = all.filter(compileFilter(filter, await namesIn(place)));
    const unknown = await unknownNames(place, filter, { found: events.length });
    return {
      events,
      /** Sentences about names of the filter that neither the log nor the listing has. */
      unknown: unknown.map(({ sentence }) => sentence),
    };
  } finally {
    file.close();
  }
}

/**
 * The items in a file: of a list page, of an array of items or of pages, or of one of these a line. An item that
 * stands alone has one of the `fields`.
 */
function rowsIn({ name, text }: Input, fields: readonly string[]): readonly unknown[] {
  const body = text.startsWith('﻿') ? text.slice(1) : text;
  if (body.trim() === '') throw new InputError(`Reading ${name}: it is empty; expected JSON or NDJSON.`);
  const whole = parse(body);
  if ('value' in whole) return itemsOf(whole.value, { where: name, fields });
  const lines = body.split('\n').filter((line) => line.trim() !== '');
  return lines.flatMap((line, index) => {
    const parsed = parse(line);
    if ('value' in parsed) return itemsOf(parsed.value, { where: `${name}, line ${index + 1}`, fields });
    const html = /^\s*</.test(body) ? ' It looks like HTML, as a server sends it in place of an answer.' : '';
    throw new InputError(
      `Reading ${name}: ${lines.length === 1 ? 'it' : `line ${index + 1}`} is not JSON (${parsed.problem}).${html} Expected a list page of the catalogue, an array, or one of these a line.`,
    );
  });
}

interface Expected {
  readonly where: string;
  readonly fields: readonly string[];
}

function itemsOf(value: unknown, { where, fields }: Expected): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap((item) => (isPage(item) ? item.results : [item]));
  if (isPage(value)) return value.results;
  if (typeof value === 'object' && value !== null && fields.some((field) => field in value)) return [value];
  throw new InputError(
    `Reading ${where}: saw ${JSON.stringify(value).slice(0, 80)}; expected a list page of the catalogue (with a list of results), an array, or an item with ${fields.slice(0, 3).join(', ')} ….`,
  );
}

function isPage(value: unknown): value is { readonly results: readonly unknown[] } {
  return typeof value === 'object' && value !== null && 'results' in value && Array.isArray(value.results);
}

function parse(text: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { problem: error instanceof Error ? error.message.slice(0, 120) : String(error) };
  }
}
