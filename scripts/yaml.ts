/** A JSON value as YAML, in blocks; every text is quoted as in JSON, which YAML reads alike. */
export function toYaml(value: unknown): string {
  return `${lines(value).join('\n')}\n`;
}

function lines(value: unknown): readonly string[] {
  if (Array.isArray(value) && value.length > 0) {
    return value.flatMap((item) => lines(item).map((line, index) => `${index === 0 ? '- ' : '  '}${line}`));
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const entries = Object.entries(value).filter(([, each]) => each !== undefined);
    if (entries.length > 0) return entries.flatMap(([key, each]) => entry(key, each));
  }
  return [JSON.stringify(value)];
}

function entry(key: string, value: unknown): readonly string[] {
  const name = /^[a-z$][\w$.-]*$/i.test(key) ? key : JSON.stringify(key);
  const below = lines(value);
  const nested = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  return nested ? [`${name}:`, ...below.map((line) => `  ${line}`)] : [`${name}: ${below[0]}`];
}
