/** The body of an event around the rows of its log: `head` + `rows` + `tail` is the body. */
export interface SplitBody {
  readonly head: string;
  /** JSON of the rows, with brackets; empty where the body was not split. */
  readonly rows: string;
  readonly tail: string;
}

const BEFORE_ROWS = ',"activities":';
const AFTER_ROWS = ',"change":';
const WHOLE = '"type":"gene-panel.activity.unclassified.';

/**
 * Splits the body of an event, so that it can be read without its rows. A body whose `change` may hold anything
 * (`activity.unclassified`) stays whole. JSON strings cannot hold these keys unescaped; rows may, hence the last one.
 */
export function splitBody(body: string): SplitBody {
  const start = body.indexOf(BEFORE_ROWS) + BEFORE_ROWS.length;
  const end = body.lastIndexOf(AFTER_ROWS);
  // The type comes before all that the catalogue writes.
  const type = body.indexOf('"type":');
  const splits = !body.startsWith(WHOLE, type) && start >= BEFORE_ROWS.length && end > start;
  if (!splits) return { head: body, rows: '', tail: '' };
  return { head: body.slice(0, start), rows: body.slice(start, end), tail: body.slice(end) };
}

/** JSON of the event with empty `activities`, or whole where the body was not split. */
export function withoutRows({ head, tail }: Pick<SplitBody, 'head' | 'tail'>): string {
  return tail === '' ? head : `${head}[]${tail}`;
}
