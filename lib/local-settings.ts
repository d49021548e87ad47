import * as z from 'zod';
import { group, keyed, text } from './setting-kinds.ts';

/** The settings of a run on one machine, `watch --config`; a deployment does not read them. */

const entryName = text(
  /^[a-z][a-z0-9-]{0,59}$/,
  'the name of a webhook or login that a channel or the relay gives, such as lab-slack',
);

/** Where the text of one webhook or login is: never in the settings themselves. */
const secretPlace = z.union(
  [
    group({
      variable: text(/^[A-Za-z_]\w*$/, "the name of an environment variable, such as 'LAB_SLACK'"),
    }),
    group({ file: text(/^\S(.*\S)?$/, 'the path of a file') }),
  ],
  { error: "{ variable: 'NAME' } or { file: 'path' }: the place of the secret, not the secret" },
);

export const localSchema = group({
  /** The places of webhook addresses and logins; `CHANNEL_LAB_SLACK` in the environment for a `lab-slack` not named here. */
  secrets: keyed(entryName, secretPlace).default({}),
  /** The folder of Atom feeds, one file for each subscription. */
  feeds: text(/^\S(.*\S)?$/, 'the path of a folder').default('feeds'),
});

export type LocalSettings = z.output<typeof localSchema>;
