import type { Token } from '../../lambdas/catalogue/identity/token-exchange.ts';
import {
  createInterpretationApi,
  type InterpretationApi,
  type Payload,
  type Query,
} from '../../lambdas/catalogue/interpretation/application-client.ts';
import { applicationNames, applications } from '../../lambdas/catalogue/interpretation/family.ts';
import { OptionError } from '../../lambdas/questions/options.ts';
import { safeJson } from '../../lambdas/run/text.ts';
import { identityOptions, openIdentity, readIdentity } from '../access.ts';
import { InputError, oneOf, orUsage, readInput, required } from '../arguments.ts';
import { type Io, UsageError } from '../command.ts';
import {
  declareCommand,
  declareWithOperands,
  flag,
  type OptionValues,
  type Run,
  text,
  value,
  values,
} from '../declare-command.ts';
import { decodeToken } from '../doctor/check-identity.ts';
import { logLines, textTable } from '../terminal.ts';

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
  application: value(
    'NAME',
    'which one it is, for messages and errors: interpretation-api (default), variant-store, sample-matching, re-identification, interpretation-portal or variant-annotation-store; for get only',
    oneOf(applicationNames),
  ),
  query: values('NAME=VALUE', 'a query parameter, for get only; may be given several times', (pair) => {
    const at = pair.indexOf('=');
    if (at < 1) throw new OptionError(pair, 'NAME=VALUE');
    return [pair.slice(0, at), pair.slice(at + 1)] as const;
  }),
  ...identityOptions,
};

const run: Run<typeof options> = async (values, positionals, io) => {
  const [name, ...operands] = positionals;
  const { operands: expected, call } = operationOf(name);
  if (operands.length !== expected.length || operands.includes('')) {
    const seen = operands.includes('') ? 'an operand is empty' : `${operands.length} operands given`;
    throw new UsageError(`api ${name}: ${seen}, expected ${expected.join(' ')}`);
  }
  if (values.query && name !== 'get') throw new UsageError('--query is for get only');
  const application = applications[values.application ?? 'interpretation-api'];
  if (application !== 'interpretation API' && name !== 'get')
    throw new UsageError(`api ${name} writes to the interpretation API; other applications are only read`);
  const given = { operands, query: Object.fromEntries(values.query ?? []), io };
  const baseUrl = required(
    '--base URL (or INTERPRETATION_URL in the environment)',
    values.base ?? io.env.INTERPRETATION_URL,
  );
  const log = logLines(io);
  const identity = await openIdentity(readIdentity(values, io.env), { clock: io.clock, log });
  try {
    const options = { application, baseUrl, access: identity.access, clock: io.clock, log };
    const api = orUsage(() => createInterpretationApi(options), '--base (INTERPRETATION_URL)');
    try {
      io.stdout.write(`${safeJson(JSON.stringify(await call(api, given), null, 2))}\n`);
      return 0;
    } finally {
      await api.close();
    }
  } finally {
    await identity.close();
  }
};

function operationOf(name: string | undefined): Operation {
  const found = name !== undefined && Object.hasOwn(operations, name) ? operations[name] : undefined;
  if (found) return found;
  const seen = name === undefined ? 'an operation is missing' : `${JSON.stringify(name)} is not an operation`;
  throw new UsageError(`${seen}; expected one of ${Object.keys(operations).join(', ')}`);
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

const tokenOptions = {
  json: flag('print the claims as JSON'),
  'show-token': flag('print the token and nothing else'),
  ...identityOptions,
};

async function showToken(values: OptionValues<typeof tokenOptions>, io: Io): Promise<number> {
  const identity = await openIdentity(readIdentity(values, io.env), { clock: io.clock, log: logLines(io) });
  try {
    const asked = io.clock.now();
    const token = await identity.exchange.ask(await identity.secret.get(), true);
    if (values['show-token']) io.stdout.write(`${token.value}\n`);
    else if (values.json) io.stdout.write(`${safeJson(JSON.stringify(asJson(token, asked), null, 2))}\n`);
    else io.stdout.write(asText(token, asked));
    return 0;
  } finally {
    await identity.close();
  }
}

function asJson({ value, lifetime }: Token, asked: number): object {
  const expires = new Date(asked + lifetime * 1000).toISOString();
  return { lifetimeSeconds: lifetime, expires, claims: decodeToken(value)?.claims ?? null };
}

function asText({ value, lifetime }: Token, asked: number): string {
  const until = new Date(asked + lifetime * 1000).toISOString();
  const valid = `A token was issued; it is valid for ${duration(lifetime)}, until ${until}.\n`;
  const claims = decodeToken(value)?.claims;
  if (!claims) return `${valid}It is opaque: its claims cannot be read.\n`;
  const rows = Object.entries(claims).map(([name, claim]) => {
    const meaning = Object.hasOwn(claimMeanings, name) ? claimMeanings[name] : '';
    return [name, shown(name, claim), meaning ?? ''];
  });
  return `${valid}${textTable(rows)
    .map((line) => `  ${line}`)
    .join('\n')}\n`;
}

/** The claims of a client-credentials token with their meaning. Source: docs/interfaces.md, "Token claims". */
const claimMeanings: Readonly<Record<string, string>> = {
  aud: 'resource that the token is for',
  iss: 'issuer of the tenant',
  iat: 'issued',
  nbf: 'valid from',
  exp: 'expires',
  aio: 'opaque',
  appid: 'calling application; rights are granted to it',
  appidacr: 'client authentication: 1 by secret, 2 by certificate',
  idp: 'identity provider',
  oid: 'principal of the application; rights may be granted to it instead',
  sub: 'principal of the application',
  tenant_region_scope: 'region of the tenant',
  tid: 'tenant',
  uti: 'identifier of this token',
  ver: 'version of the token',
};

const instants: ReadonlySet<string> = new Set(['iat', 'nbf', 'exp']);
/** The last millisecond that a Date can represent. */
const END_OF_TIME = 8.64e15;

function shown(name: string, claim: unknown): string {
  if (instants.has(name) && typeof claim === 'number' && Math.abs(claim * 1000) <= END_OF_TIME) {
    return new Date(claim * 1000).toISOString();
  }
  return typeof claim === 'string' ? claim : JSON.stringify(claim);
}

function duration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

/** Requests a token and shows it. */
export const token = declareCommand({
  name: 'api token',
  about: [
    'Requests an access token from the identity provider. It prints the claims of the token and how long it is valid. It prints the token itself only with --show-token.',
  ],
  options: tokenOptions,
  exitCodes: '0 a token was issued, 1 no token was issued, 2 wrong arguments',
  examples: [
    '$0 api token --auth-url https://login.example.org --tenant 72f9… --secret-file credential.json',
    'curl -H "Authorization: Bearer $($0 api token --show-token)" https://interpretation.example.org/',
  ],
  run: showToken,
});
