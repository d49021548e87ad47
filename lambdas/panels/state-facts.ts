import type { StateFacts } from '../events/envelope.ts';
import type { EntityIds, SignedOffVersion } from '../events/schemas.ts';
import { nameKey } from '../filters/name-key.ts';
import type { Instant } from '../run/instant.ts';
import type { PanelStateStore } from './panel-state-store.ts';
import { signedOffAt } from './signed-off-at.ts';
import type { SignOff, StateEntity } from './version-state.ts';

/** Reads what events say of the ids of entities and of signed-off versions. */
export interface StateFactsSource {
  /** The facts of panels; what is not kept of one is unknown. */
  of(panelIds: Iterable<number>): Promise<StateFacts>;
  /** Forgets what it knows of the panels' sign-offs, because they changed. */
  forgetSignOffs(): void;
}

interface PanelFacts {
  readonly ids: ReadonlyMap<string, EntityIds>;
  signOffs: readonly SignOff[] | undefined;
}

/** Reads each panel's newest state once, and keeps the ids of its entities for the run. */
export function createStateFacts(states: Pick<PanelStateStore, 'newest' | 'signOffs'>): StateFactsSource {
  const known = new Map<number, PanelFacts>();
  return {
    async of(panelIds) {
      for (const id of panelIds) {
        const facts = known.get(id) ?? {
          ids: idsIn((await states.newest(id))?.entities ?? []),
          signOffs: undefined,
        };
        facts.signOffs ??= await states.signOffs(id);
        known.set(id, facts);
      }
      return {
        idsOf: (panelId, { type, name }) => known.get(panelId)?.ids.get(keyOf(type, name)),
        signedOffOf: (panelId, at) => signedOffVersion(known.get(panelId)?.signOffs ?? [], at),
      };
    },
    forgetSignOffs() {
      for (const facts of known.values()) facts.signOffs = undefined;
    },
  };
}

/** What two states of one panel, one after the other, say of the entities of either. */
export function factsOfStates(
  states: readonly { readonly entities: readonly StateEntity[] }[],
  signOffs: readonly SignOff[],
): StateFacts {
  const ids = idsIn(states.flatMap(({ entities }) => entities));
  return {
    idsOf: (_panelId, { type, name }) => ids.get(keyOf(type, name)),
    signedOffOf: (_panelId, at) => signedOffVersion(signOffs, at),
  };
}

const keyOf = (type: string, name: string): string => `${type}:${nameKey(name)}`;

function idsIn(entities: readonly StateEntity[]): ReadonlyMap<string, EntityIds> {
  return new Map(
    entities.map(({ type, name, hgncId, ensemblIds, omimIds }) => [
      keyOf(type, name),
      {
        ...(hgncId !== null && { hgncId }),
        ...(ensemblIds.GRCh38 !== null && { ensemblId: ensemblIds.GRCh38 }),
        ...(omimIds.length > 0 && { omimIds: [...omimIds] }),
      },
    ]),
  );
}

function signedOffVersion(signOffs: readonly SignOff[], at: Instant): SignedOffVersion | undefined {
  const signOff = signedOffAt(signOffs, at);
  return signOff ? { signedOffVersion: signOff.version, signedOffDate: signOff.date } : undefined;
}
