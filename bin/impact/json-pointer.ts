/**
 * The value that a JSON pointer names (RFC 6901), such as `/panels/0/id`; undefined where there is none. The empty pointer
 * names the whole value.
 */
export function valueAt(value: unknown, pointer: string): unknown {
  const steps = pointer.split('/').slice(1);
  return steps.reduce<unknown>((found, step) => {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    return (found as Readonly<Record<string, unknown>>)[key];
  }, value);
}

/** Whether a text is a JSON pointer. */
export const isJsonPointer = (text: string): boolean => /^(?:\/(?:[^~]|~[01])*)?$/.test(text);
