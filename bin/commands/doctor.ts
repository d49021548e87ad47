import { styleText } from 'node:util';
import { type Access, fixedHeader } from '../../lambdas/catalogue/http/access.ts';
import { createInterpretationApi } from '../../lambdas/catalogue/interpretation/application-client.ts';
import {
  type Application,
  applicationNames,
  applications,
  InterpretationError,
} from '../../lambdas/catalogue/interpretation/family.ts';
import type { Clock } from '../../lambdas/run/clock.ts';
import type { Log } from '../../lambdas/run/log.ts';
import { printable, safeJson } from '../../lambdas/run/text.ts';
import {
  type Identity,
  identityOptions,
  namesIdentity,
  type OpenIdentity,
  openAccess,
  openIdentity,
  readIdentity,
} from '../access.ts';
import { type Io, UsageError } from '../command.ts';
import { declareCommand, flag, type OptionValues, text } from '../declare-command.ts';
import { checkIdentity } from '../doctor/check-identity.ts';
import {
  type ClockDifferences,
  checkCatalogue,
  checkCompleteness,
  type Finding,
  failed,
} from '../doctor/finding.ts';
import { defaultState } from '../local/open-state.ts';
import { logLines, terminalOf } from '../terminal.ts';

interface Subjects {
  readonly catalogue: string | undefined;
  readonly authorization: string | undefined;
  readonly identity: Identity | null;
  readonly applications: readonly (readonly [Application, string])[];
}

const options = {
  catalogue: text('URL', 'a catalogue, with or without /api/v1/; CATALOGUE_URL'),
  'interpretation-api': text('URL', 'the interpretation API; INTERPRETATION_URL'),
  'variant-store': text('URL', 'the variant store'),
  'sample-matching': text('URL', 'the sample-matching service'),
  're-identification': text('URL', 'the re-identification service'),
  'interpretation-portal': text('URL', 'the interpretation portal'),
  'variant-annotation-store': text('URL', 'the variant annotation store'),
  config: text(
    'FILE',
    'check the catalogues of the settings, and send a trial message ("no gene changed") from this machine to each of their channels, as watch --config would',
  ),
  stage: text(
    'NAME',
    'let the deployed notifier of this stage send the trial messages; needs AWS credentials in the environment. --config then names the settings that it was deployed with (default: notifier.config.ts)',
  ),
  local: flag('with --stage: send the trial messages from this machine instead'),
  state: text('DIR', 'with --config or --completeness: the state of watch', defaultState),
  completeness: flag(
    "instead of trial messages, show how many of the panels' versions are proven (where the catalogue serves lists alone: have a row in the log or an event of a sweep), by the state of --state or of the deployed --stage",
  ),
  json: flag('print one JSON object for each check: check, outcome, text'),
  ...identityOptions,
};

async function run(values: OptionValues<typeof options>, io: Io): Promise<number> {
  const urls = { ...values, 'interpretation-api': values['interpretation-api'] ?? io.env.INTERPRETATION_URL };
  const subjects: Subjects = {
    catalogue: values.catalogue ?? io.env.CATALOGUE_URL,
    authorization: io.env.CATALOGUE_AUTHORIZATION,
    identity: namesIdentity(values, io.env) ? readIdentity(values, io.env) : null,
    applications: applicationNames.flatMap((option) => {
      const url = urls[option];
      return url === undefined ? [] : [[applications[option], url] as const];
    }),
  };
  const { config, stage, completeness } = values;
  const messages = !completeness && (config !== undefined || stage !== undefined);
  if (values.local && config === undefined) throw new UsageError('--local goes with --config FILE');
  if (!subjects.catalogue && !subjects.identity && !messages && !completeness) {
    throw new UsageError(
      'nothing to check: give --catalogue, --auth-url, --config, --stage or --completeness',
    );
  }
  if (subjects.applications.length > 0 && !subjects.identity) {
    throw new UsageError('applications require a token: give --auth-url and a credential');
  }
  const show = values.json ? asJson : asLine(io);
  let passed = true;
  const report = async (findings: AsyncIterable<Finding>): Promise<void> => {
    for await (const finding of findings) {
      io.stdout.write(show(finding));
      passed &&= finding.outcome !== 'failed';
    }
  };
  if (subjects.catalogue || subjects.identity) await report(runChecks(subjects, io));
  else if (messages && localConfig(values) !== null) await report(cataloguesOfSettings(values, io));
  if (messages) {
    await report(messagesOf(values, io));
    await report(sharingOf(values, io));
  }
  if (completeness) await report(completenessOf(values, io));
  return passed ? 0 : 1;
}

async function* completenessOf({ state, stage, config }: MessageValues, io: Io): AsyncGenerator<Finding> {
  const { openMarks } = await import('./mark.ts');
  const marks = await openMarks(stage === undefined ? { state } : { stage, config }, io);
  try {
    const documents = (catalogue: string) => marks.kept(catalogue).documents;
    yield* checkCompleteness({ ...marks, documents }, io.clock.now());
  } finally {
    marks.close();
  }
}

type MessageValues = Pick<OptionValues<typeof options>, 'config' | 'stage' | 'local' | 'state'>;

/** The settings of this machine, as `watch --config` reads them; null where a deployed stage is asked. */
const localConfig = ({ config, stage, local }: Omit<MessageValues, 'state'>): string | null =>
  config !== undefined && (stage === undefined || local) ? config : null;

async function* cataloguesOfSettings(
  values: OptionValues<typeof identityOptions> & Omit<MessageValues, 'state'>,
  io: Io,
): AsyncGenerator<Finding> {
  const { readStage, settingsCatalogue } = await import('../stage.ts');
  const settings = await readStage(localConfig(values) ?? '', values.stage, io);
  const clockDifferences: ClockDifferences = new Map();
  const log = logLines(io);
  for (const name of Object.keys(settings.stage.catalogues)) {
    const { url, identity, needsCredential } = settingsCatalogue(settings, name);
    const { access, close } = await openAccess({ ...identity, ...values }, io, log);
    try {
      const needed = needsCredential ? access : null;
      yield* checkCatalogue({ url, access: needed, clock: io.clock, log, clockDifferences });
    } finally {
      await close();
    }
  }
}

/**
 * Trial messages from this machine, or from the deployed stage, and the names in the filters of the same subscriptions. The
 * code for mail and chat is loaded here alone.
 */
async function* messagesOf(values: MessageValues, io: Io): AsyncGenerator<Finding> {
  const messages = await import('../doctor/check-messages.ts');
  const { config, stage, state } = values;
  const own = localConfig(values);
  yield* own === null
    ? messages.checkDeployedMessages({ stage: stage ?? '', config }, io)
    : messages.checkLocalMessages({ config: own, stage, state }, io);
  yield* messages.checkNames({ config, stage, ...(own !== null && { state }) }, io);
}

/**
 * Who may subscribe to the topics of a stage, which queues get nothing before their owner confirms, and who may read what the relay
 * makes public. That the settings cannot be read is reported with the names.
 */
async function* sharingOf(
  { config = 'notifier.config.ts', stage }: MessageValues,
  io: Io,
): AsyncGenerator<Finding> {
  const shares = await import('../../lib/catalogue-settings.ts');
  const { readStage } = await import('../stage.ts');
  const read = readStage(config, stage, io);
  const settings = await read.catch(() => null);
  if (!settings) return;
  const { share, subscriptions, account, relay } = settings.stage;
  if (share)
    yield {
      check: 'share',
      outcome: 'ok',
      text: `Beside the account of the stack, ${shares.sharedWith(share)} may subscribe queues and functions to the topics of events, and nobody else.`,
    };
  for (const [name, queue] of shares.queuesElsewhere(subscriptions, account))
    yield { check: `subscriptions.${name}`, outcome: 'warning', text: shares.confirmationOf(queue, account) };
  if (relay) yield { check: 'relay', outcome: 'ok', text: shares.readersOf(settings.stage, relay) };
}

async function* runChecks(subjects: Subjects, io: Io): AsyncGenerator<Finding> {
  const log = logLines(io);
  const { clock } = io;
  const clockDifferences: ClockDifferences = new Map();
  let open: OpenIdentity | null = null;
  /** Null where there is no token. */
  let bearer: Access | null = null;
  try {
    if (subjects.identity) {
      open = await openIdentity(subjects.identity, { clock, log });
      const { identity } = subjects;
      for await (const finding of checkIdentity({ identity, open, clock, log, clockDifferences })) {
        if (finding.check === 'token' && finding.outcome !== 'failed') bearer = open.access;
        yield finding;
      }
    }
  } catch (error) {
    yield failed('identity provider', error);
  }
  try {
    if (subjects.catalogue) {
      const access = subjects.authorization ? fixedHeader('authorization', subjects.authorization) : bearer;
      yield* checkCatalogue({ url: subjects.catalogue, access, clock, log, clockDifferences });
    }
    for (const [application, url] of subjects.applications) {
      yield bearer
        ? await checkRights(application, url, { access: bearer, clock, log })
        : { check: application, outcome: 'skipped', text: 'There is no token.' };
    }
    yield checkClock(clockDifferences);
  } finally {
    await open?.close();
  }
}

const asJson = (finding: Finding): string => `${safeJson(JSON.stringify(finding))}\n`;

const colours = { ok: 'green', warning: 'yellow', failed: 'red', skipped: 'gray' } as const;

function asLine({ stdout, env }: Io): (finding: Finding) => string {
  const { colours: coloured } = terminalOf(stdout, env);
  return ({ check, outcome, text }) => {
    const word = outcome.padEnd(7);
    const shown = coloured ? styleText(colours[outcome], word, { validateStream: false }) : word;
    return `${shown}  ${check}: ${printable(text)}\n`;
  };
}

export const command = declareCommand({
  name: 'doctor',
  about: [
    'Checks whether a catalogue, an identity provider and the applications of the interpretation API family can be reached, accept the credentials and grant the rights, and whether the clock is right. With --config or --stage it sends a trial message to each channel, and looks up the names in the filters of the subscriptions. It prints a line for each check, and what to do where one failed.',
  ],
  options,
  notes: [
    'CATALOGUE_AUTHORIZATION in the environment is the value of the Authorization header for the catalogue; without it, doctor uses the token of the identity provider, if there is one.',
  ],
  exitCodes: '0 no check failed, 1 a check failed, 2 wrong arguments',
  examples: [
    '$0 doctor --config notifier.config.ts',
    '$0 doctor --stage production',
    '$0 doctor --completeness',
    '$0 doctor --catalogue https://panelapp-aus.org',
    '$0 doctor --auth-url https://login.example.org --tenant 72f9… --secret-file credential.json',
  ],
  run,
});

/** Dates in HTTP are whole seconds, and a response takes time. */
const TOLERATED_MS = 30_000;
/** Beyond this, services take tokens and signed requests for expired or not yet valid. */
const HARMFUL_MS = 5 * 60_000;

function checkClock(differences: ClockDifferences): Finding {
  const check = 'clock';
  const [largest] = [...differences].sort(([, one], [, other]) => Math.abs(other) - Math.abs(one));
  if (!largest) return { check, outcome: 'skipped', text: 'No service stated its time.' };
  const [service, difference] = largest;
  const seconds = Math.round(Math.abs(difference) / 1000);
  if (Math.abs(difference) <= TOLERATED_MS) {
    return { check, outcome: 'ok', text: 'The clock of this machine agrees with the services.' };
  }
  const text = `The clock of this machine is ${seconds} s ${difference > 0 ? 'ahead of' : 'behind'} that of ${service}. Set it by NTP.`;
  return { check, outcome: Math.abs(difference) > HARMFUL_MS ? 'failed' : 'warning', text };
}

/**
 * Checks that an application accepts the token and has registered this system. It reads the base address, where the
 * interface documents nothing: any response but a refusal shows that the caller was authorised.
 */
async function checkRights(
  check: Application,
  url: string,
  context: { readonly access: Access; readonly clock: Clock; readonly log: Log },
): Promise<Finding> {
  const authorised: Finding = {
    check,
    outcome: 'ok',
    text: `${url} accepts the token and has registered this system.`,
  };
  try {
    const client = createInterpretationApi({ application: check, baseUrl: url, ...context });
    try {
      await client.get([]);
      return authorised;
    } finally {
      await client.close();
    }
  } catch (error) {
    if (!(error instanceof InterpretationError)) return failed(check, error);
    if (error.condition === 'UNAUTHORIZED') {
      const text = `${url} does not accept the token. Check tenant and resource: each environment has its own.`;
      return { check, outcome: 'failed', text };
    }
    if (error.condition === 'FORBIDDEN') {
      const text = `${url} accepts the token but has not registered this system. Have its client id or object id registered there.`;
      return { check, outcome: 'failed', text };
    }
    return afterAuthorisation.has(error.condition) ? authorised : failed(check, error);
  }
}

/** What an application may respond once the caller is authorised, where it has nothing at its base address. */
const afterAuthorisation: ReadonlySet<string> = new Set([
  'NOT_FOUND',
  'REQUEST_REFUSED',
  'HTML',
  'JSON_WRONG',
]);
