import type { Payload, Query } from '../../lambdas/interpretation/application-client.ts';
import {
  createInterpretationApi,
  type InterpretationApi,
} from '../../lambdas/interpretation/interpretation-api.ts';
import { readAddress, readArguments, required } from '../arguments.ts';
import { type Command, type Io, UsageError } from '../command.ts';
import { identityOptions, identityUsage, readIdentity } from '../identity/identity-options.ts';
import { openIdentity } from '../identity/open-identity.ts';
import { InputError, readInput } from '../input.ts';
import { logLines } from '../log-lines.ts';

const usage = `
gene-panel-notifier api get PATH [--query NAME=VALUE]… [options]
gene-panel-notifier api clinical-report FILE [options]
gene-panel-notifier api exit-questionnaire FILE [options]
gene-panel-notifier api snp-check IR_ID IR_VERSION SAMPLE_ID [options]

Reads from and writes to the interpretation API as a registered system, and prints the JSON that it answers.
With another base address, get also reads from the variant store, the sample-matching and the re-identification
service: they take the same token. FILE holds a JSON object; - reads standard input.

Options:
  --base URL          the application; the token goes there and nowhere else; INTERPRETATION_URL
  --query NAME=VALUE  get only: a query parameter; may be given again

${identityUsage}

A clinical report is sent once: if that fails in passing, look whether it arrived before you send it again. All
else is repeated by itself.

Exit codes: 0 done, 1 failed, or FILE cannot be read or holds no JSON object, 2 called wrongly.

Examples:
  gene-panel-notifier api get interpretation-request/1001/1 --base https://interpretation.example.org/api
  gene-panel-notifier api clinical-report report.json
  gene-panel-notifier api snp-check 1001 1 LP1001-A
`;

interface Operation {
  readonly operands: readonly string[];
  readonly call: (api: InterpretationApi, given: Given) => Promise<unknown>;
}

interface Given {
  readonly operands: readonly string[];
  readonly query: Query;
  readonly io: Io;
}

const operations: Readonly<Record<string, Operation>> = {
  get: {
    operands: ['PATH'],
    call: (api, { operands: [path = ''], query }) => api.get(partsOf(path), query),
  },
  'clinical-report': {
    operands: ['FILE'],
    call: async (api, given) => api.clinicalReport(await readPayload(given)),
  },
  'exit-questionnaire': {
    operands: ['FILE'],
    call: async (api, given) => api.exitQuestionnaire(await readPayload(given)),
  },
  'snp-check': {
    operands: ['IR_ID', 'IR_VERSION', 'SAMPLE_ID'],
    call: (api, { operands: [irId = '', irVersion = '', sampleId = ''] }) =>
      api.snpCheck({ irId, irVersion, sampleId }),
  },
};

async function run(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(args, {
    ...identityOptions,
    base: { type: 'string' },
    query: { type: 'string', multiple: true },
  });
  const [name, ...operands] = positionals;
  const { operands: wanted, call } = operationOf(name);
  if (operands.length !== wanted.length || operands.includes('')) {
    throw new UsageError(`api ${name} wants ${wanted.join(' ')}; it got ${operands.length} operands`);
  }
  if (values.query && name !== 'get') throw new UsageError('--query goes with get only');
  const given = { operands, query: queryOf(values.query ?? []), io };
  const baseUrl = required(
    '--base URL (or INTERPRETATION_URL in the environment)',
    values.base ?? io.env.INTERPRETATION_URL,
  );
  const log = logLines(io);
  const identity = openIdentity(readIdentity(values, io.env), { clock: io.clock, log });
  try {
    const options = { baseUrl, access: identity.access, clock: io.clock, log };
    const api = readAddress('--base (INTERPRETATION_URL)', () => createInterpretationApi(options));
    try {
      io.stdout.write(`${JSON.stringify(await call(api, given), null, 2)}\n`);
      return 0;
    } finally {
      await api.close();
    }
  } finally {
    await identity.close();
  }
}

function operationOf(name: string | undefined): Operation {
  const found = name !== undefined && Object.hasOwn(operations, name) ? operations[name] : undefined;
  if (found) return found;
  const seen =
    name === undefined ? 'an operation is missing' : `there is no operation ${JSON.stringify(name)}`;
  throw new UsageError(`${seen}; wanted one of ${Object.keys(operations).join(', ')}`);
}

/** `/a/b` and `a/b` are the same; nothing that leads elsewhere is a path. */
function partsOf(path: string): readonly string[] {
  if (/^[a-z][a-z+.-]*:|^\/\/|[?#\\]/i.test(path)) {
    throw new UsageError(
      `${JSON.stringify(path)}: wanted a path below --base, such as interpretation-request/1001/1; parameters go into --query`,
    );
  }
  return path.replace(/^\//, '').split('/');
}

function queryOf(given: readonly string[]): Query {
  return Object.fromEntries(
    given.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw new UsageError(`--query ${JSON.stringify(pair)}: wanted NAME=VALUE`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

async function readPayload({ operands: [file = ''], io }: Given): Promise<Payload> {
  const { name, text } = await readInput(file, io);
  const value = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InputError(`Reading ${name}: it holds no JSON object.`);
  }
  return { ...value };
}

/** What the parser says of broken JSON quotes it, and a report is about a person. */
function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

export const command: Command = {
  name: 'api',
  summary: 'read and write the interpretation API as a registered system',
  usage,
  run,
};
