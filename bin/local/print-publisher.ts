import { compileFilter, type Filter } from '../../lambdas/filters/filter.ts';
import type { Publisher } from '../../lambdas/publishing/publisher.ts';
import { printable } from '../../lambdas/run/text.ts';
import { namedPlaceOf } from '../../lambdas/store/history/sqlite.ts';
import { createSqlitePages } from '../../lambdas/store/history/sqlite-pages.ts';
import { namesIn } from '../../lambdas/store/history/unknown-names.ts';
import type { StateFile } from '../../lambdas/store/sqlite-file.ts';
import type { Io } from '../command.ts';
import { type EventOutput, eventOf, type PrintedEvent } from '../output.ts';

interface PrintPublisher extends Publisher {
  readonly printed: number;
  /** Names of a filter find all events of a panel or gene, by the names that this file has. To be called before a run. */
  follow(file: StateFile): void;
  /**
   * Prints the events of this run that a name finds which was learned after they were published: a renaming is published
   * after the events under the old name. To be called after a poll.
   * @throws {HistoryError | OutputError} when the events cannot be read or written
   */
  printMissed(): Promise<void>;
}

const AT_ONCE = 1_000;

/** Creates a publisher that prints. An event counts as published once it is written. A filter limits what is printed. */
export function createPrintPublisher(output: EventOutput, filter: Filter = {}): PrintPublisher {
  const all = Object.keys(filter).length === 0;
  const asksNames = filter.panels !== undefined || filter.genes !== undefined;
  let followed: { readonly file: StateFile; readonly begin: number } | undefined;
  let matches = compileFilter(filter);
  let revision = '';
  /** The names by which all events of the run were looked at. */
  let complete = '';
  const printed = new Set<string>();
  let count = 0;

  const readNames = async (): Promise<void> => {
    if (!followed || !asksNames) return;
    const place = namedPlaceOf(followed.file);
    const names = await namesIn(place);
    // The listing gives names of panels, the events those of genes too.
    const now = `${names.revision} ${(await place.history.names()).revision}`;
    if (now === revision) return;
    revision = now;
    matches = compileFilter(filter, names);
  };
  const print = async (events: readonly PrintedEvent[]): Promise<void> => {
    await output.write(events);
    count += events.length;
    if (asksNames) for (const each of events) printed.add(eventOf(each).id);
  };

  return {
    get printed() {
      return count;
    },
    follow(file) {
      followed = { file, begin: createSqlitePages(file).lastAppended() };
    },
    async publish(messages) {
      if (messages.length > 0) await readNames();
      await print(all ? messages : messages.filter((message) => matches(eventOf(message))));
      return [];
    },
    async printMissed() {
      await readNames();
      if (!followed || revision === complete) return;
      complete = revision;
      const pages = createSqlitePages(followed.file);
      const last = pages.lastAppended();
      for (let after = followed.begin; after < last; after += AT_ONCE) {
        const upTo = Math.min(after + AT_ONCE, last);
        const missed = pages
          .appended(after, upTo, AT_ONCE)
          .filter(({ id, event }) => !printed.has(id) && matches(event))
          .flatMap((placed) => pages.bodyAt(placed) ?? []);
        await print(missed.map((body) => ({ body, event: JSON.parse(body) })));
      }
    },
  };
}

interface PrintedNames {
  readonly file: StateFile;
  readonly filter: Filter;
  readonly printed: number;
}

/**
 * Says, after a poll, which names of the filter neither the catalogue's listing nor any event has.
 * @throws {HistoryError | StateError} when the state file cannot be read
 */
export async function sayUnknownNames(
  { file, filter, printed }: PrintedNames,
  { stderr }: Io,
): Promise<void> {
  if (Object.keys(filter).length === 0) return;
  const [{ unknownNames }, { namedPlaceOf }] = await Promise.all([
    import('../../lambdas/store/history/unknown-names.ts'),
    import('../../lambdas/store/history/sqlite.ts'),
  ]);
  for (const { sentence } of await unknownNames(namedPlaceOf(file), filter, { found: printed })) {
    stderr.write(`${printable(sentence)}\n`);
  }
}
