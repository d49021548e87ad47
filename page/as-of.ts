import { dirname } from 'node:path';
import { leftOutSince, showAsOf, unknownAsOf } from '../lambdas/panels/sqlite-as-of.ts';
import { asOfOptions } from '../lambdas/questions/ask.ts';
import { OptionError, readAsked, valuesOf } from '../lambdas/questions/options.ts';
import type { Limit } from '../lambdas/questions/question.ts';
import { createSqliteWorklist } from '../lambdas/questions/worklist/kept-changes.ts';
import { worklistUntil } from '../lambdas/questions/worklist/worklist-record.ts';
import { defaultWorklist } from '../lambdas/questions/worklist/worklist-settings.ts';
import { type Instant, instantOf, millisecondsOf } from '../lambdas/run/instant.ts';
import { openReadableStateFile } from '../lambdas/store/sqlite-file.ts';
import { type Html, html } from './html.ts';
import { AddressError, orAddressError } from './read-address.ts';
import type { AskedAddress, PageOptions } from './route-context.ts';

interface AskedTime {
  readonly at: Instant;
  /** Whether it also asks how much came to light later. */
  readonly countsLeftOut: boolean;
}

/**
 * Reads `as-of` and `left-out` of an address; null where it asks for the present.
 * @throws {AddressError} when one has a value that it does not take
 */
export function askedTimeOf({ address, times }: AskedAddress, now: number): AskedTime | null {
  const parameters = new URL(address).searchParams;
  const texts = Object.fromEntries(
    Object.keys(asOfOptions).map((name) => [name, valuesOf({}, parameters.getAll(name))]),
  );
  return orAddressError(() => {
    const asked = readAsked(asOfOptions, texts, { now: instantOf(now), times });
    const { 'as-of': at, 'left-out': countsLeftOut } = asked;
    if (at !== undefined) return { at, countsLeftOut };
    if (countsLeftOut) throw new OptionError('yes', 'as-of beside it', 'left-out');
    return null;
  });
}

/** Says of which time an answer is, with the addresses of the same that also says how much is left out, and of the present. */
export const asOfNotice = (
  { sentence }: Limit,
  { counted, present }: { readonly counted: string | null; readonly present: string },
): Html =>
  html`<p class="notice">${sentence}${counted === null ? '' : html` <a href="${counted}">How much?</a>`} <a href="${present}">As known now</a></p>`;

/**
 * Opens what a page shows as it was at an earlier time. The caller closes its file.
 * @throws {AddressError} when what was kept then is unknown
 * @throws {StateError} when the file cannot be read
 */
export function openAsOf(options: PageOptions, { at, countsLeftOut }: AskedTime) {
  const { file: present, deployed, record: _polls, clock, worklist, ...others } = options;
  if (deployed)
    throw new AddressError(
      '“as-of” does not go with a deployed stage: its tables keep each state as it is now. Ask a folder that watch fills; of events alone, the commands report and history answer with --stage and --as-of.',
    );
  if (present.path === ':memory:')
    throw new AddressError('“as-of” asks what was kept earlier, and this page keeps nothing in a folder.');
  const file = openReadableStateFile(dirname(present.path));
  try {
    const why = unknownAsOf(file, at);
    if (why !== null) throw new AddressError(`“as-of” asks for a time of which nothing is known. ${why}`);
    const asOf = { at, leftOut: countsLeftOut ? leftOutSince(file, at) : undefined };
    showAsOf(file, at);
    const { store, settings } = worklist ?? {
      store: createSqliteWorklist(file, clock),
      settings: defaultWorklist,
    };
    return {
      asOf,
      options: {
        ...others,
        file,
        clock: { ...clock, now: () => millisecondsOf(at) },
        worklist: worklist === null ? null : { store: worklistUntil(store, at), settings },
      },
    };
  } catch (error) {
    file.close();
    throw error;
  }
}
