import type * as z from 'zod';
import { type Instant, parseInstant } from '../../run/instant.ts';
import { type ItemStore, readValue } from '../../store/items.ts';
import {
  assignmentSchema,
  commentSchema,
  decisionSchema,
  readingSchema,
  type WorklistStore,
} from './worklist-record.ts';

/** What a worklist keeps: each in a partition of its own, where an entry's id begins every id. */
const kinds = {
  decisions: { partition: 'worklist#decisions', schema: decisionSchema },
  readings: { partition: 'worklist#readings', schema: readingSchema },
  comments: { partition: 'worklist#comments', schema: commentSchema },
  assignments: { partition: 'worklist#assignments', schema: assignmentSchema },
} as const;
type Kind = keyof typeof kinds;
type Kept<Which extends Kind> = z.infer<(typeof kinds)[Which]['schema']>;

/** What errors call what is kept of a worklist. */
export const WORKLIST = 'the worklist';

/**
 * A worklist as it was at an instant, to read it.
 * @param until as it is where undefined
 */
export function worklistUntil(store: WorklistStore, until: Instant | undefined): WorklistStore {
  if (until === undefined) return store;
  const then = <Kept extends { readonly at: string }>(all: readonly Kept[]): readonly Kept[] =>
    all.filter(({ at }) => (parseInstant(at) ?? until) <= until);
  // The changes that are kept are those of now.
  const { changes: _changes, ...others } = store;
  return {
    ...others,
    async record() {
      const { decisions, readings, comments, assignments } = await store.record();
      return {
        decisions: then(decisions),
        readings: then(readings),
        comments: then(comments),
        assignments: then(assignments),
      };
    },
  };
}

/** The worklist's decisions, readings, comments and assignments in a store of items. They are only added. */
export function createWorklistStore(items: ItemStore): WorklistStore {
  async function read<Which extends Kind>(kind: Which, prefix = ''): Promise<Kept<Which>[]> {
    const { partition, schema } = kinds[kind];
    const kept = await items.list(partition, prefix);
    return kept.map((item) => readValue(item, { schema, place: items.place }) as Kept<Which>);
  }
  /** Keeps a value where there is none of its id, and returns what is kept then: somebody else may have been first. */
  async function add<Which extends Kind>(kind: Which, id: string, value: Kept<Which>): Promise<Kept<Which>> {
    if (await items.create({ partition: kinds[kind].partition, id, value })) return value;
    return (await read(kind, id))[0] ?? value;
  }
  const placed = ({ entry, number }: { readonly entry: string; readonly number: number }): string =>
    `${entry}#${String(number).padStart(6, '0')}`;

  return {
    async record() {
      const [decisions, readings, comments, assignments] = await Promise.all([
        read('decisions'),
        read('readings'),
        read('comments'),
        read('assignments'),
      ]);
      return { decisions, readings, comments, assignments };
    },
    decisionsOf: (entry) => read('decisions', `${entry}#`),
    append: (decision) => add('decisions', placed(decision), decision),
    commentsOf: (entry) => read('comments', `${entry}#`),
    addComment: (comment) => add('comments', `${comment.entry}#${comment.id}`, comment),
    assignmentsOf: (entry) => read('assignments', `${entry}#`),
    addAssignment: (assignment) => add('assignments', placed(assignment), assignment),
    async noteReading(reading) {
      await items.create({
        ...{ partition: kinds.readings.partition, id: `${reading.entry}#${reading.by}`, value: reading },
      });
    },
  };
}
