import {
  type WorklistState,
  worklistStateForms,
  worklistStates,
} from '../../lambdas/worklist/worklist-states.ts';
import { checkAddressBounds } from '../address-bounds.ts';
import { AddressError } from '../address-error.ts';

/** What of the worklist is shown. */
export interface WorklistQuery {
  readonly values: {
    readonly panel: readonly string[];
    readonly gene: readonly string[];
    readonly 'r-code': readonly string[];
  };
  /** `pending`: what somebody still has to do something about. */
  readonly state: WorklistState | 'pending' | 'all';
  readonly isOverdue: boolean;
}

type NameFilter = keyof WorklistQuery['values'];

const names = ['panel', 'gene', 'r-code', 'state', 'overdue'] as const;

/** The choices of states, with their words. */
export const stateChoices: readonly (readonly [value: WorklistQuery['state'], words: string])[] = [
  ['pending', 'to do: open or re-analyse'],
  ...worklistStates.map((state) => [state, worklistStateForms[state].words] as const),
  ['all', 'every state'],
];

/**
 * Reads the parameters of an address. Empty ones count as absent.
 * @throws {AddressError} when one is unknown, or has a value that it does not take
 */
export function readWorklistQuery(parameters: URLSearchParams): WorklistQuery {
  checkAddressBounds(parameters);
  for (const name of parameters.keys()) {
    if (names.some((each) => each === name)) continue;
    throw new AddressError(
      `The address has an unknown part ${JSON.stringify(name.slice(0, 80))}; expected ${names.join(', ')}.`,
    );
  }
  const some = (name: NameFilter): readonly string[] => {
    const given = parameters.getAll(name).flatMap((text) => (name === 'panel' ? [text] : text.split(',')));
    return [...new Set(given.map((text) => text.trim()).filter((text) => text !== ''))];
  };
  const given = (parameters.get('state') ?? '').trim() || 'pending';
  const [state] = stateChoices.find(([value]) => value === given) ?? [];
  if (state === undefined) {
    throw new AddressError(
      `“state” is ${JSON.stringify(given.slice(0, 80))}; expected ${stateChoices.map(([value]) => value).join(', ')}.`,
    );
  }
  const overdue = (parameters.get('overdue') ?? '').trim();
  if (overdue !== '' && overdue !== 'true') {
    throw new AddressError(`“overdue” is ${JSON.stringify(overdue.slice(0, 80))}; expected true.`);
  }
  return {
    values: { panel: some('panel'), gene: some('gene'), 'r-code': some('r-code') },
    state,
    isOverdue: overdue === 'true',
  };
}

/** The address that asks this. */
export function worklistAddress({ values, state, isOverdue }: WorklistQuery, path = '/worklist'): string {
  const parameters = new URLSearchParams();
  for (const [name, texts] of Object.entries(values)) for (const text of texts) parameters.append(name, text);
  if (state !== 'pending') parameters.set('state', state);
  if (isOverdue) parameters.set('overdue', 'true');
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}
