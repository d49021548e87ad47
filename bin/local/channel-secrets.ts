import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import {
  ChannelSecretError,
  type ChannelSecrets,
  secretsIn,
} from '../../lambdas/channels/channel-secrets.ts';
import type { LocalSettings } from '../../lib/settings.ts';
import type { Io } from '../command.ts';

export interface LocalSecretOptions {
  readonly places: LocalSettings['secrets'];
  /** The settings file; paths of secrets are relative to its folder. */
  readonly config: string;
  readonly env: Io['env'];
}

/**
 * Webhook addresses and logins in environment variables and files: the text of an address, or a JSON object. A file is
 * read at each use, so that a new secret takes effect at once.
 */
export function localChannelSecrets({ places, config, env }: LocalSecretOptions): ChannelSecrets {
  const placeOf = (name: string): LocalSettings['secrets'][string] =>
    (Object.hasOwn(places, name) ? places[name] : undefined) ?? { variable: variableOf(name) };
  const inFile = (path: string): string => resolve(dirname(config), path);
  return secretsIn({
    async read(name) {
      const place = placeOf(name);
      const text = 'file' in place ? await readSecret(inFile(place.file), name) : env[place.variable];
      return text === undefined || text.trim() === '' ? undefined : entryIn(text.trim());
    },
    place: (name) => {
      const place = placeOf(name);
      const where =
        'file' in place ? `the file ${inFile(place.file)}` : `${place.variable} in the environment`;
      return `the secret "${name}" from ${where}`;
    },
    remedy: (name) => {
      const place = placeOf(name);
      return 'file' in place
        ? 'write it into that file'
        : `set ${place.variable}, or name another place under local.secrets in ${config}`;
    },
    forget: () => {},
  });
}

/** `CHANNEL_LAB_SLACK` for `lab-slack`. */
const variableOf = (name: string): string => `CHANNEL_${name.toUpperCase().replaceAll('-', '_')}`;

async function readSecret(path: string, name: string): Promise<string> {
  return readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new ChannelSecretError(
      `Reading the secret "${name}" from the file ${path}: ${cause.code ?? 'it cannot be read'}. Write the address or the login there, for this user alone to read.`,
      { cause },
    );
  });
}

/** JSON where it is an object, else the text itself. */
function entryIn(text: string): unknown {
  if (!text.startsWith('{')) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The message of the parser would quote the secret.
    return null;
  }
}
