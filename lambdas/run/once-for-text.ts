/**
 * Returns what makes something of a text, and remembers what it made: the same texts come again and again. What it returns must not
 * be changed.
 * @param most how many texts are remembered; then it begins anew
 */
export function onceForText<Value>(most: number, make: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const value = make(text);
    if (known.size >= most) known.clear();
    known.set(text, value);
    return value;
  };
}
