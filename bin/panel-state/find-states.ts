import type { AskedPanels, FoundPanel, NotFound } from '../../lambdas/panels/find-panels.ts';
import {
  findState,
  openPanelLookup,
  type StatesOf,
  type WantedState,
} from '../../lambdas/panels/find-state.ts';
import type { NamedState } from '../../lambdas/questions/state-rows.ts';
import { UnknownNameError, UsageError } from '../command.ts';

interface Asked {
  readonly panel: string | undefined;
  readonly rCode: string | undefined;
}

interface FoundStates {
  readonly states: readonly NamedState[];
  /** Sentences about the states that were found. */
  readonly notes: readonly string[];
  /** Sentences, one for each panel whose state is unknown. */
  readonly unknown: readonly string[];
}

/**
 * The states that a person asks for.
 * @throws {UnknownNameError} when there is no such panel
 * @throws {StateError | CatalogueError} when they cannot be read
 */
export async function findStates(asked: Asked, wanted: WantedState, of: StatesOf): Promise<FoundStates> {
  const { catalogue: name } = of.opened;
  const states: NamedState[] = [];
  const notes: string[] = [];
  const unknown: string[] = [];
  for (const panel of await panelsOf(asked, of)) {
    const found = await findState(panel, wanted, of);
    if (found.state) states.push({ catalogue: name, state: found.state });
    if (found.state && found.note !== undefined) notes.push(found.note);
    if (!found.state) unknown.push(`${panel.name} (${panel.id}): unknown. ${found.why}`);
  }
  return { states, notes, unknown };
}

/**
 * The panels that a person asks for.
 * @throws {UnknownNameError} when there is no such panel
 * @throws {StateError | CatalogueError} when the names cannot be read
 */
async function panelsOf(asked: Asked, of: StatesOf): Promise<readonly FoundPanel[]> {
  const find = await openPanelLookup(of);
  return thatExist(await find(oneOf(asked)));
}

/**
 * The panels that were found.
 * @throws {UnknownNameError} when none was
 */
export function thatExist(found: readonly FoundPanel[] | NotFound): readonly FoundPanel[] {
  if ('notFound' in found) throw new UnknownNameError(found.notFound());
  return found;
}

function oneOf({ panel, rCode }: Asked): AskedPanels {
  if (panel !== undefined && rCode === undefined) return { panel };
  if (panel === undefined && rCode !== undefined) return { rCode };
  throw new UsageError('give one of --panel ID|NAME and --r-code CODE');
}
