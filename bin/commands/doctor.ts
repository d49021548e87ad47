import { styleText } from 'node:util';
import { type Access, fixedHeader } from '../../lambdas/http/access.ts';
import type { Application } from '../../lambdas/interpretation/errors.ts';
import { readOptions } from '../arguments.ts';
import { type Command, type Io, UsageError } from '../command.ts';
import { checkCatalogue } from '../doctor/check-catalogue.ts';
import { checkClock } from '../doctor/check-clock.ts';
import { checkIdentity } from '../doctor/check-identity.ts';
import { checkRights } from '../doctor/check-rights.ts';
import { type Finding, failed, type Heard } from '../doctor/finding.ts';
import {
  type Identity,
  identityOptions,
  identityUsage,
  namesIdentity,
  readIdentity,
} from '../identity/identity-options.ts';
import { type OpenIdentity, openIdentity } from '../identity/open-identity.ts';
import { logLines } from '../log-lines.ts';
import { printable, terminalOf } from '../terminal-text.ts';

const usage = `
gene-panel-notifier doctor [options]

Checks settings, reach, access and rights, and the clock, and says what to do about what is wrong. Whatever is
given is checked: a catalogue, an identity provider, applications of the interpretation API family.

Options:
  --catalogue URL           a catalogue, with or without /api/v1/; CATALOGUE_URL
  --interpretation-api URL  an application that is to take the token; INTERPRETATION_URL
  --variant-store URL       the same
  --sample-matching URL     the same
  --re-identification URL   the same
  --json                    print the findings as JSON, one a line

Environment:
  CATALOGUE_AUTHORIZATION   value of the Authorization header for the catalogue; without it the catalogue gets
                            the token of the identity provider, where one is given

${identityUsage}

Exit codes: 0 nothing failed, 1 a check failed, 2 called wrongly.

Example:
  gene-panel-notifier doctor --catalogue https://panelapp-aus.org
`;

const applications = {
  'interpretation-api': 'interpretation API',
  'variant-store': 'variant store',
  'sample-matching': 'sample-matching service',
  're-identification': 're-identification service',
} as const satisfies Readonly<Record<string, Application>>;
type ApplicationOption = keyof typeof applications;
const applicationOptions = Object.keys(applications) as readonly ApplicationOption[];

/** What there is to check. */
interface Patient {
  readonly catalogue: string | undefined;
  readonly authorization: string | undefined;
  readonly identity: Identity | null;
  readonly applications: readonly (readonly [Application, string])[];
}

async function run(args: readonly string[], io: Io): Promise<number> {
  const values = readOptions(args, {
    ...identityOptions,
    catalogue: { type: 'string' },
    'interpretation-api': { type: 'string' },
    'variant-store': { type: 'string' },
    'sample-matching': { type: 'string' },
    're-identification': { type: 'string' },
    json: { type: 'boolean', default: false },
  });
  const urls = { ...values, 'interpretation-api': values['interpretation-api'] ?? io.env.INTERPRETATION_URL };
  const patient: Patient = {
    catalogue: values.catalogue ?? io.env.CATALOGUE_URL,
    authorization: io.env.CATALOGUE_AUTHORIZATION,
    identity: namesIdentity(values, io.env) ? readIdentity(values, io.env) : null,
    applications: applicationOptions.flatMap((option) => {
      const url = urls[option];
      return url === undefined ? [] : [[applications[option], url] as const];
    }),
  };
  if (!patient.catalogue && !patient.identity) {
    throw new UsageError('there is nothing to check; give --catalogue or --auth-url');
  }
  if (patient.applications.length > 0 && !patient.identity) {
    throw new UsageError('applications want a token; give --auth-url and a credential');
  }
  const show = values.json ? asJson : asLine(io);
  let sound = true;
  for await (const finding of examine(patient, io)) {
    io.stdout.write(show(finding));
    sound &&= finding.outcome !== 'failed';
  }
  return sound ? 0 : 1;
}

async function* examine(patient: Patient, io: Io): AsyncGenerator<Finding> {
  const log = logLines(io);
  const { clock } = io;
  const heard: Heard = { skews: new Map() };
  let open: OpenIdentity | null = null;
  /** How the token is shown; null where there is none. */
  let bearer: Access | null = null;
  try {
    if (patient.identity) {
      open = openIdentity(patient.identity, { clock, log });
      for await (const finding of checkIdentity({ identity: patient.identity, open, clock, log, heard })) {
        if (finding.check === 'token' && finding.outcome !== 'failed') bearer = open.access;
        yield finding;
      }
    }
  } catch (error) {
    yield failed('identity provider', error);
  }
  try {
    if (patient.catalogue) {
      const access = patient.authorization ? fixedHeader('authorization', patient.authorization) : bearer;
      yield* checkCatalogue({ url: patient.catalogue, access, clock, log, heard });
    }
    for (const [application, url] of patient.applications) {
      yield bearer
        ? await checkRights({ application, url, access: bearer, clock, log })
        : { check: application, outcome: 'skipped', says: 'There is no token to show.' };
    }
    yield checkClock(heard);
  } finally {
    await open?.close();
  }
}

const asJson = (finding: Finding): string => `${JSON.stringify(finding)}\n`;

const colours = { ok: 'green', warning: 'yellow', failed: 'red', skipped: 'gray' } as const;

function asLine({ stdout, env }: Io): (finding: Finding) => string {
  const { colours: coloured } = terminalOf(stdout, env);
  return ({ check, outcome, says }) => {
    const word = outcome.padEnd(7);
    const shown = coloured ? styleText(colours[outcome], word, { validateStream: false }) : word;
    return `${shown}  ${check}: ${printable(says)}\n`;
  };
}

export const command: Command = {
  name: 'doctor',
  summary: 'check settings, reach, access, rights and clock, and say what to do',
  usage,
  run,
};
