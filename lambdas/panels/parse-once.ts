/** So many texts are remembered: the newest versions of twice as many panels as the largest catalogue has. */
const MAX_TEXTS = 1000;

/**
 * Returns what parses a text, and remembers what it parsed: each run reads the same summaries of hundreds of panels, of which
 * few have changed since. What it returns must not be changed.
 */
export function parseOnce<Value>(parse: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const value = parse(text);
    if (known.size >= MAX_TEXTS) known.clear();
    known.set(text, value);
    return value;
  };
}
