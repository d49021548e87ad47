/**
 * Runs a query in the language of CloudWatch Logs Insights over JSON log lines. It knows the part of the language
 * that docs/runbook.md uses, and fails for everything else rather than guess.
 *
 * Commands: `fields`, `filter`, `stats … by …`, `sort`, `limit`. Conditions: `=`, `!=`, `in [...]`, `like`, `ispresent()`,
 * `and`, `or`, `not`, parentheses. Aggregates: `count(*)`, `latest()`, `earliest()`.
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
    .replaceAll(/\b(?:fields|filter|sort|stats|limit|as|by|and|or|not|in|like|asc|desc)\b/g, ' ')
    .replaceAll(/\b(?:count|latest|earliest|ispresent)(?=\()/g, ' ');
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
  if (name === 'earliest') return [label, inTime.at(0)?.[field]];
  return unsupported(text);
}

type Condition = (row: Row) => boolean;

/** A condition, read by recursive descent: `or` binds least, then `and`, then `not`. */
function condition(text: string): Condition {
  const tokens = text.match(/"[^"]*"|\/[^/]+\/|[\w.@*]+|!=|[=()[\],]/g) ?? [];
  let at = 0;
  const next = (): string => tokens[at++] ?? unsupported(`a condition that ends early: ${text}`);
  const take = (wanted: string): boolean => {
    if (tokens[at] !== wanted) return false;
    at += 1;
    return true;
  };
  const must = (wanted: string): void => {
    if (!take(wanted)) unsupported(`${text}: "${tokens[at]}" in place of "${wanted}"`);
  };

  const either = (): Condition => {
    const parts = [both()];
    while (take('or')) parts.push(both());
    return (row) => parts.some((part) => part(row));
  };
  const both = (): Condition => {
    const parts = [negated()];
    while (take('and')) parts.push(negated());
    return (row) => parts.every((part) => part(row));
  };
  const negated = (): Condition => {
    if (!take('not')) return simple();
    const part = simple();
    return (row) => !part(row);
  };
  const simple = (): Condition => {
    if (take('(')) {
      const inner = either();
      must(')');
      return inner;
    }
    if (take('ispresent')) {
      must('(');
      const field = next();
      must(')');
      return (row) => row[field] !== undefined;
    }
    const field = plainField(next());
    const operator = next();
    if (operator === 'in') {
      const values = list();
      return (row) => values.includes(row[field]);
    }
    const given = next();
    if (operator === 'like' && given.startsWith('/')) {
      const pattern = new RegExp(given.slice(1, -1));
      return (row) => pattern.test(String(row[field] ?? ''));
    }
    const value = literal(given);
    if (operator === 'like') return (row) => String(row[field] ?? '').includes(String(value));
    if (operator === '=') return (row) => row[field] === value;
    if (operator === '!=') return (row) => row[field] !== value;
    return unsupported(`the operator ${operator} in ${text}`);
  };
  const list = (): readonly Value[] => {
    must('[');
    const values = [literal(next())];
    while (take(',')) values.push(literal(next()));
    must(']');
    return values;
  };

  const whole = either();
  if (at < tokens.length) unsupported(`the end of ${text}`);
  return whole;
}

const literal = (text: string): Value => (text.startsWith('"') ? text.slice(1, -1) : Number(text));
const plainField = (text: string): string => (/^@?[A-Za-z][\w.]*$/.test(text) ? text : unsupported(text));

function unsupported(what: string): never {
  throw new Error(`This interpreter does not know ${what}`);
}
