import { hkdfSync } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { answerRequests } from '../../../page/answer-requests.ts';
import { accessSettingsSchema } from '../../../page/sign-in/access-settings.ts';
import { createItemAuditLog, createPersonalNotes, PEOPLE } from '../../../page/sign-in/people-file.ts';
import { createProvider, type Provider } from '../../../page/sign-in/provider.ts';
import { createOneTimeUses, createProgramTokens, createSessions } from '../../../page/sign-in/sessions.ts';
import { SIGNED_IN_PATH, signInAccess } from '../../../page/sign-in/sign-in-access.ts';
import { createPreparedCopy, openStageCopy } from '../../../page/stage-copy.ts';
import type { SecretSource } from '../../catalogue/identity/secret.ts';
import { worklistBeside } from '../../questions/worklist/kept-changes.ts';
import { createTableWorklist } from '../../questions/worklist/table-worklist.ts';
import { WORKLIST } from '../../questions/worklist/worklist-record.ts';
import type { Clock } from '../../run/clock.ts';
import type { Log } from '../../run/log.ts';
import { createDynamoHistory } from '../../store/history/dynamodb.ts';
import { createDynamoItems } from '../../store/items-dynamodb.ts';
import type { PageEnvironment } from '../settings.ts';
import type { PagePlan } from './page-plan.ts';

interface OpenPageOptions {
  readonly environment: PageEnvironment;
  readonly plan: PagePlan;
  readonly dynamodb: DynamoDBClient;
  /** The secret of the page at the identity provider; null for a client without one. */
  readonly clientSecret: SecretSource | null;
  /** The text from which the keys of sign-ins and forms are made. */
  readonly sessionKey: SecretSource;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  /** Where the copy of the history lies; a new temporary folder where absent. */
  readonly copyFolder?: string;
  /** Called when everything was copied that fits, with how much of the room the events take, in percent. */
  readonly onWhole?: (percentFull: number) => void;
}

/** The page of a deployed stage while a process answers requests. */
interface OpenPage {
  readonly answer: ReturnType<typeof answerRequests>;
  close(): void;
}

/** With their indexes and the words of a search they take at most half of the function's disk (`lib/team-page.ts`). */
const MOST_EVENTS = 200_000;

/** In bytes: a function takes requests of 6 MB, in which an uploaded file is written in Base64, a third longer. */
const LARGEST_UPLOAD = 4_000_000;

/**
 * Opens the page that `page --stage` serves, for one instance of a function: what it must know of people lies in a table
 * that all instances share.
 * @throws the error of Secrets Manager when the key of sessions cannot be read
 */
export async function openPage(options: OpenPageOptions): Promise<OpenPage> {
  const { environment, plan, dynamodb, clientSecret, sessionKey, clock, log, onWhole } = options;
  const { stage, catalogues, zone, signIn } = plan;
  const settings = accessSettingsSchema.parse({ ...signIn, address: environment.PAGE_ADDRESS });
  const people = createDynamoItems({ dynamodb, table: environment.PEOPLE_TABLE_NAME, what: PEOPLE, clock });
  const audit = createItemAuditLog(people, clock);
  const access = signInAccess({
    settings,
    provider: renewingProvider(clientSecret, (secret) =>
      createProvider({
        settings: signIn.provider,
        secret,
        redirectUri: new URL(SIGNED_IN_PATH, settings.address).href,
        clock,
      }),
    ),
    sessions: createSessions(people, {
      clock,
      log,
      longest: settings.sessionHours * 3_600_000,
      idle: settings.idleMinutes * 60_000,
    }),
    uses: createOneTimeUses(people),
    audit,
    clock,
    key: keyFrom(await sessionKey.read()),
  });
  const explain = (error: unknown): string => (error instanceof Error ? error.message : String(error));
  const copy = openStageCopy({
    name: stage,
    stateTable: environment.TABLE_NAME,
    historyTable: environment.HISTORY_TABLE_NAME,
    ...{ catalogues, dynamodb, clock, explain },
    folder: options.copyFolder,
    mostEvents: MOST_EVENTS,
  });
  const closing = new AbortController();
  const table = environment.WORKLIST_TABLE_NAME;
  const items = table === undefined ? null : createDynamoItems({ dynamodb, table, what: WORKLIST, clock });
  const history = createDynamoHistory({ dynamodb, table: environment.HISTORY_TABLE_NAME, clock });
  const keep = items && createTableWorklist({ items, history, clock }).keep;
  const answer = answerRequests(
    {
      file: copy.file,
      deployed: copy.place,
      clock,
      zone,
      signal: closing.signal,
      worklist:
        plan.worklist === null || items === null
          ? null
          : { store: worklistBeside(copy.file, items), settings: plan.worklist },
      audit,
      notes: createPersonalNotes(people, clock),
      tokens: createProgramTokens(people, clock),
      browserFiles: pathToFileURL(`${environment.PAGE_FOLDER}/browser/`),
      endsStreams: true,
      largestUpload: LARGEST_UPLOAD,
      prepare: createPreparedCopy({
        copy,
        clock,
        explain,
        onWhole() {
          onWhole?.(copy.percentFull());
          // For the commands that read the worklist of the stage. No request waits for it.
          void keep?.().catch((error: unknown) => log.warn('The worklist was not kept', { error }));
        },
      }),
    },
    access,
  );
  return {
    answer,
    close() {
      closing.abort(new Error('the page is closed'));
      copy.close();
    },
  };
}

/** A key of 32 bytes from a text of any length. */
const keyFrom = (text: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', text, '', 'gene-panel-page sessions', 32));

/** Opens a provider with the secret that the page has there; null for a client without one. */
type OpenProvider = (secret: string | null) => Provider;

/**
 * A provider whose secret is read when it is first needed, and again when the provider refuses it: so a new secret needs no
 * deployment.
 * @param secret null for a client without one
 */
function renewingProvider(secret: SecretSource | null, open: OpenProvider): Provider {
  let current: Promise<{ readonly text: string | null; readonly provider: Provider }> | undefined;
  const read = async () => {
    const text = secret === null ? null : (await secret.read()).trim();
    return { text, provider: open(text) };
  };
  const opened = () => {
    current ??= read().catch((error: unknown) => {
      current = undefined;
      throw error;
    });
    return current;
  };
  return {
    begin: async () => (await opened()).provider.begin(),
    readLogout: async (token) => (await opened()).provider.readLogout(token),
    async finish(callback, attempt) {
      const before = await opened();
      try {
        return await before.provider.finish(callback, attempt);
      } catch (error) {
        if (!isRefusedClient(error)) throw error;
        current = undefined;
        const now = await opened();
        if (now.text === before.text) throw error;
        return now.provider.finish(callback, attempt);
      }
    },
  };
}

/** The error of RFC 6749 for a client whose secret is wrong; it comes as an error of the body, or as a challenge. */
const isRefusedClient = (error: unknown): boolean => {
  const { error: code, status, cause } = error as { error?: unknown; status?: unknown; cause?: unknown };
  return (
    code === 'invalid_client' || status === 401 || (cause as { status?: unknown } | undefined)?.status === 401
  );
};
