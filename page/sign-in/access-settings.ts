import { isIP } from 'node:net';
import * as z from 'zod';
import { isLoopback } from '../../lambdas/catalogue/http/loopback.ts';

const secureUrl = (what: string) =>
  z.url({ error: `${what} that begins with https://` }).refine(
    (text) => {
      const { protocol, hostname } = new URL(text);
      return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
    },
    { error: `${what} that begins with https://` },
  );

const text = z.string({ error: 'a text' }).min(1, { error: 'a text' });
const texts = z.array(text, { error: 'a list of texts' }).min(1, { error: 'at least one text' });
const numberFrom = (min: number, max: number) => {
  const error = `a number from ${min} to ${max}`;
  return z.number({ error }).min(min, { error }).max(max, { error });
};
const objectOf = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: ({ code }) =>
      `${code === 'unrecognized_keys' ? 'only' : 'an object with'} ${Object.keys(shape).join(', ')}`,
  });

const roleNamesSchema = objectOf({
  /** The claim, or the header of a proxy, that holds roles or groups. */
  claim: text,
  reader: z.union([texts, z.literal('everyone')], { error: 'a list of texts, or "everyone"' }),
  decider: z.array(text, { error: 'a list of texts' }).default([]),
});

const providerShape = {
  /** As the discovery document of the provider states it. */
  issuer: secureUrl('an issuer'),
  clientId: text,
  scope: z
    .string({ error: 'a text' })
    .regex(/(^| )openid( |$)/, { error: 'scopes with openid among them' })
    .default('openid profile'),
};

const providerSchema = objectOf({
  ...providerShape,
  /** A file that holds the client secret; the environment variable `PAGE_CLIENT_SECRET` where absent. */
  secretFile: text.optional(),
});

const ipAddress = z
  .string({ error: 'an IP address' })
  .refine((text) => isIP(text) !== 0, { error: 'an IP address' });

const proxySchema = objectOf({
  /** The header that states who signed in. */
  person: text,
  /** The header with the name to show; that of `person` where absent. */
  name: text.optional(),
});

const sessionShape = {
  /** Hours after which a person signs in again. */
  sessionHours: numberFrom(0.1, 168).default(10),
  /** Minutes without a request after which a person signs in again. */
  idleMinutes: numberFrom(1, 1_440).default(120),
};

/** The address of the page, as browsers see it: `https://panels.example.org`. */
export const addressSchema = secureUrl('the address of the page').refine(
  (text) => new URL(text).pathname === '/',
  {
    error: 'an address without a path',
  },
);

/** How a team signs in to a deployed page: by a provider alone, since anybody can send such a page the headers of a proxy. */
export const deployedSignInSchema = z.strictObject(
  { provider: objectOf(providerShape), roles: roleNamesSchema, ...sessionShape },
  {
    error: ({ code }) =>
      code === 'unrecognized_keys'
        ? 'only provider, roles, sessionHours, idleMinutes'
        : 'how people sign in, { provider: { … }, roles: { … } }: the page has an address on the internet, and is not made without',
  },
);

/** How a team signs in to the page, as its file states it. */
export const accessSettingsSchema = objectOf({
  address: addressSchema,
  /** An OpenID Connect provider. */
  provider: providerSchema.optional(),
  /** The headers of a proxy that signs people in. */
  proxyHeaders: proxySchema.optional(),
  /** The IP addresses of the proxies in front of the page: only these may connect. */
  proxies: z
    .array(ipAddress, { error: 'a list of IP addresses' })
    .min(1, { error: 'at least one IP address' })
    .optional(),
  roles: roleNamesSchema,
  ...sessionShape,
})
  .refine(({ provider, proxyHeaders }) => (provider === undefined) !== (proxyHeaders === undefined), {
    error: 'either provider or proxyHeaders',
  })
  .refine(({ proxyHeaders, proxies }) => proxyHeaders === undefined || proxies !== undefined, {
    error: 'proxies beside proxyHeaders: without them, other machines could send these headers',
  });
export type AccessSettings = z.output<typeof accessSettingsSchema>;
