/** A value as JSON; instants become text, maps become lists of entries. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === 'bigint') return String(part);
    return part instanceof Map ? [...part] : part;
  });
}
