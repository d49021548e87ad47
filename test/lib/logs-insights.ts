/**
 * Runs a query in the language of CloudWatch Logs Insights over JSON log lines. It knows the part of the language
 * that docs/runbook.md uses, and fails for everything else rather than guess.
 *
 * Commands: `fields`, `filter`, `stats … by …`, `sort`, `limit`. Conditions: `=`, `in [...]`, `ispresent()`, joined by `and`.
 * Aggregates: `count(*)`, `latest()`.
 */
export function runQuery(query: string, lines: readonly string[]): readonly Row[] {
  const rows = lines.map(readLine);
  return query.split('|').reduce<readonly Row[]>((given, command) => run(command.trim(), given), rows);
}

/** The fields that a query reads, in the order in which it names them. */
export function fieldsOf(query: string): readonly string[] {
  const made = new Set([...query.matchAll(/ as ([\w.@]+)/g)].map(([, name = '']) => name));
  const names = query
    .replaceAll(/"[^"]*"/g, '')
    .replaceAll(/\b(?:fields|filter|sort|stats|limit|as|by|and|in|asc|desc)\b/g, ' ')
    .replaceAll(/\b(?:count|latest|ispresent)(?=\()/g, ' ');
  const fields = [...names.matchAll(/@?[A-Za-z][\w.]*/g)].map(([name]) => name);
  return [...new Set(fields)].filter((name) => !made.has(name));
}

type Value = string | number | boolean | undefined;
type Row = Readonly<Record<string, Value>>;

/** Nested fields get dotted names, as Logs Insights gives them. */
function readLine(line: string): Row {
  const flat = (value: unknown, name: string): [string, Value][] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, inner]) => flat(inner, name === '' ? key : `${name}.${key}`))
      : [[name, value as Value]];
  const fields = Object.fromEntries(flat(JSON.parse(line), ''));
  return { ...fields, '@timestamp': fields.timestamp, '@message': line };
}

function run(command: string, rows: readonly Row[]): readonly Row[] {
  const [, verb = '', rest = ''] = /^(\w+)\s+(.*)$/s.exec(command) ?? [];
  switch (verb) {
    case 'fields': {
      const names = rest.split(',').map((name) => plainField(name.trim()));
      return rows.map((row) => ({ ...row, ...Object.fromEntries(names.map((name) => [name, row[name]])) }));
    }
    case 'filter': {
      const passes = condition(rest);
      return rows.filter(passes);
    }
    case 'limit':
      return rows.slice(0, Number(rest));
    case 'sort': {
      const [, field = '', order = 'asc'] = /^([\w.@]+)(?: (asc|desc))?$/.exec(rest) ?? unsupported(command);
      const sign = order === 'desc' ? -1 : 1;
      return rows.toSorted((a, b) => sign * compare(a[field], b[field]));
    }
    case 'stats':
      return stats(rest, rows);
    default:
      return unsupported(command);
  }
}

function compare(a: Value, b: Value): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a ?? '').localeCompare(String(b ?? ''), 'en');
}

function stats(text: string, rows: readonly Row[]): readonly Row[] {
  const [, aggregates = '', by = ''] = /^(.*?)(?: by ([\w.@]+))?$/s.exec(text) ?? [];
  const groups = Map.groupBy(rows, (row) => row[by]);
  return [...groups].map(([value, group]) => ({
    ...(by !== '' && { [by]: value }),
    ...Object.fromEntries(aggregates.split(',').map((each) => aggregate(each.trim(), group))),
  }));
}

function aggregate(text: string, rows: readonly Row[]): [string, Value] {
  const [, name = '', field = '', label = text] =
    /^(\w+)\(([\w.@]+|\*)\)(?: as (\w+))?$/.exec(text) ?? unsupported(text);
  const inTime = rows.toSorted((a, b) => compare(a['@timestamp'], b['@timestamp']));
  if (name === 'count' && field === '*') return [label, rows.length];
  if (name === 'latest') return [label, inTime.at(-1)?.[field]];
  return unsupported(text);
}

/** A condition: parts that all have to hold. */
function condition(text: string): (row: Row) => boolean {
  const parts = text.split(' and ').map(partOfCondition);
  return (row) => parts.every((part) => part(row));
}

function partOfCondition(text: string): (row: Row) => boolean {
  const [, present] = /^ispresent\(([\w.@]+)\)$/.exec(text) ?? [];
  if (present !== undefined) return (row) => row[present] !== undefined;
  const [, field = '', list, one] = /^([\w.@]+) (?:in \[(.*)\]|= (.*))$/.exec(text) ?? unsupported(text);
  const values = (list?.split(',') ?? [one ?? '']).map((each) => literal(each.trim()));
  return (row) => values.includes(row[field]);
}

const literal = (text: string): Value => (text.startsWith('"') ? text.slice(1, -1) : Number(text));
const plainField = (text: string): string => (/^@?[A-Za-z][\w.]*$/.test(text) ? text : unsupported(text));

function unsupported(what: string): never {
  throw new Error(`This interpreter does not know ${what}`);
}
