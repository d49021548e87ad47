import type { Token } from '../../lambdas/catalogue/identity/token-reply.ts';
import { printable } from '../../lambdas/run/printable.ts';
import { safeJson } from '../../lambdas/run/safe-json.ts';
import type { Io } from '../command.ts';
import { declareCommand, flag, type OptionValues } from '../declare-command.ts';
import { identityOptions, readIdentity } from '../identity/identity-options.ts';
import { claimMeanings, decodeToken, openIdentity } from '../identity/open-identity.ts';
import { logLines } from '../log-lines.ts';

const options = {
  json: flag('print the claims as JSON'),
  'show-token': flag('print the token and nothing else'),
  ...identityOptions,
};

async function run(values: OptionValues<typeof options>, io: Io): Promise<number> {
  const identity = openIdentity(readIdentity(values, io.env), { clock: io.clock, log: logLines(io) });
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
    return [printable(name), printable(shown(name, claim)), meaning ?? ''] as const;
  });
  const [names, values] = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map(([name, claim, meaning]) =>
    `  ${name.padEnd(names ?? 0)}  ${claim.padEnd(values ?? 0)}  ${meaning}`.trimEnd(),
  );
  return `${valid}${lines.join('\n')}\n`;
}

const instants: ReadonlySet<string> = new Set(['iat', 'nbf', 'exp']);
/** The last millisecond that a Date can represent. */
const END_OF_TIME = 8.64e15;

function shown(name: string, claim: unknown): string {
  if (instants.has(name) && typeof claim === 'number' && Math.abs(claim * 1000) <= END_OF_TIME) {
    return new Date(claim * 1000).toISOString();
  }
  return typeof claim === 'string' ? claim : JSON.stringify(claim);
}

/** Seconds in a unit that is easy to read. */
function duration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

export const command = declareCommand({
  name: 'api token',
  about: [
    'Requests an access token from the identity provider. It prints the claims of the token and how long it is valid. It prints the token itself only with --show-token.',
  ],
  options,
  exitCodes: '0 a token was issued, 1 no token was issued, 2 wrong arguments',
  examples: [
    '$0 api token --auth-url https://login.example.org --tenant 72f9… --secret-file credential.json',
    'curl -H "Authorization: Bearer $($0 api token --show-token)" https://interpretation.example.org/',
  ],
  run,
});
