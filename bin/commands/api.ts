import type { Payload, Query } from '../../lambdas/catalogue/interpretation/application-client.ts';
import {
  createInterpretationApi,
  type InterpretationApi,
} from '../../lambdas/catalogue/interpretation/application-client.ts';
import {
  type Application,
  applicationNames,
  applications,
} from '../../lambdas/catalogue/interpretation/errors.ts';
import { safeJson } from '../../lambdas/run/safe-json.ts';
import { readAddress, required } from '../arguments.ts';
import { type Io, UsageError } from '../command.ts';
import { declareWithOperands, type OptionValues, text, texts } from '../declare-command.ts';
import { identityOptions, readIdentity } from '../identity/identity-options.ts';
import { openIdentity } from '../identity/open-identity.ts';
import { InputError, readInput } from '../input.ts';
import { logLines } from '../log-lines.ts';

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

const options = {
  base: text('URL', 'the application; the token goes to no other address; INTERPRETATION_URL'),
  application: text(
    'NAME',
    'which one it is, for messages and errors: interpretation-api (default), variant-store, sample-matching, re-identification, interpretation-portal or variant-annotation-store; for get only',
  ),
  query: texts('NAME=VALUE', 'a query parameter, for get only; may be given several times'),
  ...identityOptions,
};

async function run(
  values: OptionValues<typeof options>,
  positionals: readonly string[],
  io: Io,
): Promise<number> {
  const [name, ...operands] = positionals;
  const { operands: expected, call } = operationOf(name);
  if (operands.length !== expected.length || operands.includes('')) {
    const seen = operands.includes('') ? 'an operand is empty' : `${operands.length} operands given`;
    throw new UsageError(`api ${name}: ${seen}, expected ${expected.join(' ')}`);
  }
  if (values.query && name !== 'get') throw new UsageError('--query is for get only');
  const application = applicationOf(values.application);
  if (application !== 'interpretation API' && name !== 'get')
    throw new UsageError(`api ${name} writes to the interpretation API; other applications are only read`);
  const given = { operands, query: queryOf(values.query ?? []), io };
  const baseUrl = required(
    '--base URL (or INTERPRETATION_URL in the environment)',
    values.base ?? io.env.INTERPRETATION_URL,
  );
  const log = logLines(io);
  const identity = openIdentity(readIdentity(values, io.env), { clock: io.clock, log });
  try {
    const options = { application, baseUrl, access: identity.access, clock: io.clock, log };
    const api = readAddress('--base (INTERPRETATION_URL)', () => createInterpretationApi(options));
    try {
      io.stdout.write(`${safeJson(JSON.stringify(await call(api, given), null, 2))}\n`);
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
  const seen = name === undefined ? 'an operation is missing' : `${JSON.stringify(name)} is not an operation`;
  throw new UsageError(`${seen}; expected one of ${Object.keys(operations).join(', ')}`);
}

function applicationOf(given: string | undefined): Application {
  const found = applicationNames.find((one) => one === (given ?? 'interpretation-api'));
  if (found) return applications[found];
  throw new UsageError(
    `--application ${JSON.stringify(given)}: expected one of ${applicationNames.join(', ')}`,
  );
}

/** `/a/b` and `a/b` are the same. A path that could lead to another address is refused. */
function partsOf(path: string): readonly string[] {
  if (/^[a-z][a-z+.-]*:|\/\/|[?#\\]|^\/?$|(?:^|\/)\.\.?(?:\/|$)/i.test(path)) {
    throw new UsageError(
      `${JSON.stringify(path)}: expected a path below --base, such as interpretation-request/1001/1; give parameters with --query`,
    );
  }
  return path.replace(/^\//, '').split('/');
}

function queryOf(given: readonly string[]): Query {
  return Object.fromEntries(
    given.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw new UsageError(`--query ${JSON.stringify(pair)}: expected NAME=VALUE`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

async function readPayload({ operands: [file = ''], io }: Given): Promise<Payload> {
  const { name, text } = await readInput(file, io);
  const value = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InputError(
      `Reading ${name}: it is not a JSON object, such as {"interpretation_request_id": 1001}.`,
    );
  }
  return { ...value };
}

/** The parser's error would quote the text, and a report holds personal data. */
function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

export const command = declareWithOperands({
  name: 'api',
  synopsis: [
    'get PATH [--query NAME=VALUE]… [options]',
    'clinical-report FILE [options]',
    'exit-questionnaire FILE [options]',
    'snp-check IR_ID IR_VERSION SAMPLE_ID [options]',
    'token [options]',
  ],
  about: [
    'Reads from and writes to the interpretation API as a registered system, and prints the JSON response. With another --base, get also reads from the other applications that accept the same token (--application). FILE holds a JSON object; "-" reads standard input. "api token --help" describes how a token is requested and shown.',
  ],
  options,
  notes: [
    'A clinical report is sent once. If the connection fails, check whether it arrived before you send it again. All other requests are retried automatically.',
  ],
  exitCodes: '0 done, 1 failed, or FILE is unreadable or not a JSON object, 2 wrong arguments',
  examples: [
    '$0 api get interpretation-request/1001/1 --base https://interpretation.example.org/api',
    '$0 api clinical-report report.json',
    '$0 api snp-check 1001 1 LP1001-A',
  ],
  run,
});
