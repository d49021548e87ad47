import { rCodesIn } from '../../lambdas/events/r-codes.ts';
import { nameKey } from '../../lambdas/names/name-key.ts';
import type { Names } from '../../lambdas/names/names.ts';
import type { VersionSummary } from '../../lambdas/panel-states/version-state.ts';
import { nearest } from '../../lambdas/subscriptions/nearest.ts';
import { UsageError } from '../command.ts';

/** A panel that a command is about. */
export interface FoundPanel {
  readonly id: number;
  readonly name: string;
}

/** A panel as a listing or a kept state shows it. */
export type ListedPanel = Pick<VersionSummary, 'panelId' | 'panelName' | 'hashId' | 'relevantDisorders'>;

interface Wanted {
  readonly panel: string | undefined;
  readonly rCode: string | undefined;
}

interface Known {
  readonly catalogue: string;
  readonly panels: readonly ListedPanel[];
  readonly names: Names;
}

/**
 * The panels that a person names: by number, `hash_id`, present or former name, or by a code of the test directory.
 * @throws {UsageError} when there is no such panel, or the name is that of several
 */
export function findPanels({ panel, rCode }: Wanted, known: Known): readonly FoundPanel[] {
  if ((panel === undefined) === (rCode === undefined)) {
    throw new UsageError('give one of --panel ID|NAME and --r-code CODE');
  }
  return panel === undefined ? withCode(rCode ?? '', known) : [called(panel, known)];
}

function withCode(code: string, { panels, catalogue }: Known): readonly FoundPanel[] {
  const found = panels.filter(({ relevantDisorders }) =>
    rCodesIn(relevantDisorders).includes(code.toUpperCase()),
  );
  if (found.length > 0) return found.map(foundPanel);
  const near = nearest(
    code.toUpperCase(),
    panels.flatMap(({ relevantDisorders }) => rCodesIn(relevantDisorders)),
  );
  throw new UsageError(`no panel of ${catalogue} has the code ${JSON.stringify(code)}.${hint(near)}`);
}

function called(name: string, { panels, names, catalogue }: Known): FoundPanel {
  const key = nameKey(name);
  const listed = panels.filter(
    ({ panelId, hashId, panelName }) =>
      String(panelId) === key || (hashId !== null && nameKey(hashId) === key) || nameKey(panelName) === key,
  );
  const former = names
    .panelsCalled(name)
    .filter((panel) => panel.catalogue === catalogue)
    .map(({ id, name: present }) => ({ id, name: present }));
  const found = listed.length > 0 ? listed.map(foundPanel) : former;
  const [only, ...others] = found;
  if (only && others.length === 0) return only;
  if (only) {
    const all = found.map((one) => `${one.id} (${one.name})`).join(', ');
    throw new UsageError(
      `several panels are or were called ${JSON.stringify(name)}: ${all}. Give the number.`,
    );
  }
  const near = nearest(
    name,
    panels.map(({ panelName }) => panelName),
  );
  throw new UsageError(`no panel of ${catalogue} is called ${JSON.stringify(name)}.${hint(near)}`);
}

const foundPanel = ({ panelId, panelName }: ListedPanel): FoundPanel => ({ id: panelId, name: panelName });

const hint = (near: string | undefined): string => (near === undefined ? '' : ` Did you mean ${near}?`);
