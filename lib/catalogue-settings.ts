import * as z from 'zod';
import {
  defaultOverlapMinutes,
  defaultSameChangePercent,
  defaultShrunkenPercent,
} from '../lambdas/functions/settings.ts';
import { panelStateFields } from '../lambdas/panels/settings.ts';
import { longestOverlapMinutes } from '../lambdas/store/overlap.ts';
import {
  group,
  keyed,
  number,
  secretKeySchema,
  secretSchema,
  text,
  url,
  wholeNumber,
} from './setting-kinds.ts';

const expires = z.iso
  .date({ error: "the day on which the credential expires, such as '2027-03-31'" })
  .optional();

/** How the notifier authenticates: not at all, by a fixed Authorization header, or by a bearer token. */
const access = z
  .discriminatedUnion(
    'kind',
    [
      group({ kind: z.literal('none') }),
      group({
        kind: z.literal('header'),
        secret: secretSchema,
        secretKey: secretKeySchema,
        credentialExpires: expires,
      }),
      group({
        kind: z.literal('client-credentials'),
        secret: secretSchema,
        secretKey: secretKeySchema,
        credentialExpires: expires,
        authUrl: url,
        tenantId: text(/^[\w.-]+$/, "the identity provider's tenant, one part of a path"),
        resource: text(/^\S+$/, 'text without spaces').optional(),
        scope: text(/^\S+( \S+)*$/, 'scopes with one space between them').optional(),
        // How id and secret are encoded in the Basic header; some servers do not decode them.
        basic: z.enum(['form', 'raw'], { error: "'form' or 'raw'" }).optional(),
      }),
    ],
    { error: "{ kind: 'none' }, { kind: 'header', … } or { kind: 'client-credentials', … }" },
  )
  .default({ kind: 'none' });

/** The times that the functions accept (lambdas/run/instant.ts). */
export const years = { first: new Date('2000-01-01T00:00:00Z'), last: new Date('2100-01-01T00:00:00Z') };

/** A time from the year 2000 to `now`. */
const timePast = (now: Date) =>
  z.iso
    .datetime({ offset: true, error: "a time with its zone, such as '2026-11-01T00:00:00Z'" })
    .refine((time) => !(new Date(time) < years.first || new Date(time) > now), {
      error: 'a past time of the year 2000 or later; with a future one nothing would be published until then',
    });

/**
 * One catalogue: its `/api/v1/` address, the access to it and its pace.
 * @param now the latest time that `from` may have
 */
export const catalogueAt = (now: Date) =>
  group({
    base: url,
    /** The address of the catalogue that `base` relays: its events have the source and the ids that they have there. */
    original: url.optional(),
    /** The address before the catalogue moved: its mark goes on at `base`. */
    movedFrom: url.optional(),
    access,
    pollEveryMinutes: wholeNumber(1, 60).default(5),
    /** The scheduler starts a poll at any moment of this window, so that many readers do not call at once. */
    startWithinMinutes: wholeNumber(1, 59).optional(),
    /** How far each poll reads back before its mark; longer than the catalogue's longest import. */
    overlapMinutes: wholeNumber(1, longestOverlapMinutes).default(defaultOverlapMinutes),
    /** How often the listings of panels and regions are compared. */
    sweepEveryMinutes: wholeNumber(15, 1440).default(60),
    /** A listing that lost more of its panels or regions than this is not trusted. */
    shrunkenListingPercent: number(0, 100).default(defaultShrunkenPercent),
    /** Where more of the panels have the same kind of change without a row, it waits for a sweep an hour later. */
    sameChangePercent: number(0, 100).default(defaultSameChangePercent),
    /** How often states of panels are read and proven, where it is deployed. */
    proveEveryMinutes: wholeNumber(15, 1440).default(15),
    /** How the states of panels are read and kept. */
    states: group(panelStateFields).prefault({}),
    /**
     * The catalogues of the same stage that it is compared with, and how: what becomes green in one of the two alone is published as an
     * event about a panel of this catalogue.
     */
    comparedWith: keyed(
      text(/^[a-z][a-z0-9-]*$/, 'the name of a catalogue of the same stage'),
      group({
        /** A CSV file of panels that belong together, as `compare --propose-pairs` makes one; without it, names and genes decide. */
        pairs: text(/^\S(.*\S)?\.csv$/, "the path of a CSV file, such as 'pairs.csv'").optional(),
      }),
    ).default({}),
    /** Where the very first poll starts; without it at the catalogue's newest row. */
    from: timePast(now).optional(),
  }).refine(({ startWithinMinutes = 0, pollEveryMinutes }) => startWithinMinutes < pollEveryMinutes, {
    path: ['startWithinMinutes'],
    error: 'fewer minutes than pollEveryMinutes',
  });
