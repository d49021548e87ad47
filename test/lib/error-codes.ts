import { readFileSync } from 'node:fs';
import { build } from 'esbuild';
import { leanBundle } from '../../lib/bundle.ts';

/** The project's own files in the bundle of a function, with their text. */
export async function sourcesOfFunction(entry: string): Promise<ReadonlyMap<string, string>> {
  const { metafile } = await build({
    ...leanBundle,
    entryPoints: [entry],
    outfile: 'index.cjs',
    write: false,
    metafile: true,
  });
  const files = Object.keys(metafile.inputs).filter((file) => file.startsWith('lambdas/'));
  return new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
}

const all = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, match = '']) => match);

/**
 * The codes of all errors that the code of a function can throw, read from its source:
 * - `new PollError('CODE', …)`, `const code = … 'CODE' …` or `const [code, …] =`, and `readonly code = 'CODE'` in a class of one code;
 * - `condition: 'TIMED_OUT'` of an exchange with a service, for each service: `CATALOGUE_TIMED_OUT`, …;
 * - the reasons why SNS did not take a message.
 */
export async function thrownCodes(entry: string): Promise<ReadonlySet<string>> {
  const files = await sourcesOfFunction(entry);
  const sources = [...files.values()];
  const choices = sources.flatMap((text) => [
    ...all(text, /new \w+Error\(([^,{]*),/g),
    ...all(text, /const (?:code|\[code, \w+\]) =([^;]+);/g),
  ]);
  const given = choices.flatMap((choice) => all(choice, /'([A-Z]+(?:_[A-Z]+)+)'/g));
  const fixed = sources.flatMap((text) => all(text, /readonly code = '(\w+)'/g));

  const advice = 'lambdas/catalogue/http/service-error.ts';
  const elsewhere = [...files].filter(([file]) => file !== advice).map(([, text]) => text);
  const [, table = ''] = /const advice = \{(.*?)\n\} as const/s.exec(files.get(advice) ?? '') ?? [];
  const conditions = all(table, /^ {2}(\w+):/gm).filter((name) =>
    elsewhere.some((text) => text.includes(`'${name}'`)),
  );
  const services = sources.flatMap((text) => all(text, /serviceError\('\w+', '([A-Z_]+)'\)/g));
  const ofServices = services.flatMap((service) => conditions.map((condition) => `${service}_${condition}`));

  const [, reasons = ''] =
    /type PublishErrorCode =(.*?);/s.exec(files.get('lambdas/publishing/faults.ts') ?? '') ?? [];
  const ofPublishing = all(reasons, /'([\w-]+)'/g);
  return new Set([...given, ...fixed, ...ofServices, ...ofPublishing]);
}
