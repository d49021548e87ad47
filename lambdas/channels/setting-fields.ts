import * as z from 'zod';

const address = "an e-mail address, such as 'genetics@example.org'";
const entry = 'the name of an entry in the secret of the channels, such as lab-slack';

/** One e-mail address. */
export const mailAddress = z.email({ error: address });

/** The name of an entry of the channels' secret. What it names is a secret, so that the settings only name it. */
export const secretEntry = z.string({ error: entry }).regex(/^[a-z][a-z0-9-]{0,59}$/, { error: entry });

/** The id of the place in which a bot posts. */
export const placeId = (form: RegExp, wanted: string) =>
  z.string({ error: wanted }).regex(form, { error: wanted });
