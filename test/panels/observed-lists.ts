import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { type Instant, parseInstant } from '../../lambdas/run/instant.ts';
import type { PanelDetails } from '../../sandbox/catalogue/content.ts';

/** What the lists of a made-up catalogue truly showed, looked at after each of its actions. */
export interface ObservedLists {
  look(now: Instant): void;
  /** What an event states of a list that was not so at its time; null where nothing is false. */
  untruthOf(event: PanelEvent): string | null;
  /** Whether what an event states is so now. */
  isSo(event: PanelEvent): boolean;
  /** What the last events say otherwise than the lists show now: visibility and sign-offs. */
  leftFalse(events: readonly PanelEvent[]): readonly string[];
}

interface Shown {
  readonly at: Instant;
  /** Fields of the panel by their names in `panel.changed`; null where it is not public. */
  readonly fields: Readonly<Record<string, string>> | null;
  /** Version and day of each sign-off. */
  readonly signOffs: readonly string[];
}

interface Served {
  readonly name: string;
  readonly version: string;
  readonly status: string;
  readonly disease_group: string;
  readonly types: readonly { readonly name: string }[];
}

const A_SECOND = 1_000_000n;

const textOf = (value: unknown): string =>
  Array.isArray(value) ? [...value].sort().join(', ') : String(value);

const isListed = ({ data: { change } }: PanelEvent): boolean => 'via' in change && change.via === 'listing';

/** @param mostPanels the ids that are looked at are those up to it */
export function observeLists(details: PanelDetails, mostPanels: number): ObservedLists {
  const shown = new Map<number, Shown[]>();
  const show = (id: number, at: Instant, signedOff: ReturnType<PanelDetails['signOffs']>): Shown => {
    const served = details.present(id) as Served | undefined;
    return {
      at,
      fields: served
        ? {
            name: served.name,
            version: served.version,
            status: served.status,
            diseaseGroup: served.disease_group,
            types: textOf(served.types.map(({ name }) => name)),
          }
        : null,
      signOffs: signedOff.flatMap(({ panelId, panel, day }) =>
        panelId === id ? [`${(panel as Served).version} ${day}`] : [],
      ),
    };
  };
  const at = (id: number, instant: Instant): Shown | undefined =>
    shown.get(id)?.findLast((one) => one.at <= instant);
  const isPublic = (one: Shown | undefined): boolean => (one?.fields ?? null) !== null;

  /** Whether what a listing shows is false of a panel. */
  const isFalse = ({ type, data: { change } }: PanelEvent, then: Shown | undefined): boolean => {
    if (type === 'gene-panel.panel.withdrawn.v1') return isPublic(then);
    if (type === 'gene-panel.panel.published.v1') return !isPublic(then);
    if (!('changes' in change)) return false;
    return change.changes.some(({ field, to }) => {
      const so = then?.fields?.[field];
      return so !== undefined && so !== textOf(to);
    });
  };
  return {
    isSo: (event) => !isFalse(event, shown.get(Number(event.data.panel?.id))?.at(-1)),
    look(now) {
      const signedOff = details.signOffs();
      for (let id = 1; id <= mostPanels; id += 1) {
        const own = shown.get(id) ?? [];
        shown.set(id, own);
        const found = show(id, now, signedOff);
        const last = own.at(-1);
        if (JSON.stringify([last?.fields, last?.signOffs]) !== JSON.stringify([found.fields, found.signOffs]))
          own.push(found);
      }
    },
    untruthOf(event) {
      const { panel, change, summary } = event.data;
      const id = panel?.id;
      if (typeof id !== 'number') return null;
      // The catalogue states its time in seconds.
      const then = at(id, (parseInstant(event.time) ?? 0n) + A_SECOND);
      const untrue = `${id}: ${summary}`;
      if (event.type === 'gene-panel.panel.signed-off.v1' && 'signedOff' in change) {
        const { signedOffVersion: version, signedOffDate: day } = change;
        const ever = shown.get(id)?.flatMap(({ signOffs }) => signOffs) ?? [];
        if (change.signedOff)
          return version === undefined || ever.includes(`${version} ${day}`) ? null : untrue;
        // A row is stamped up to ten minutes before what it states can be seen.
        const isSilent = change.via !== 'activity';
        return isSilent && isPublic(then) && then?.signOffs.length !== 0 ? untrue : null;
      }
      return isListed(event) && isFalse(event, then) ? untrue : null;
    },
    leftFalse(events) {
      return [...shown].flatMap(([id, all]) => {
        const own = events.filter(({ data }) => data.panel?.id === id);
        const last = all.at(-1);
        const visibility = own.findLast(({ type }) =>
          /panel\.(?:published|withdrawn|deleted)\.v1$/.test(type),
        );
        const signOff = own.findLast(({ type }) => type === 'gene-panel.panel.signed-off.v1')?.data;
        const saidPublic = visibility?.type === 'gene-panel.panel.published.v1';
        const found: string[] = [];
        if (visibility && saidPublic !== isPublic(last)) found.push(`${id}: ${visibility.data.summary}`);
        if (signOff && isPublic(last) && 'signedOff' in signOff.change) {
          const { signedOff, signedOffVersion: version, signedOffDate: day } = signOff.change;
          const isSo = signedOff
            ? version === undefined || last?.signOffs.includes(`${version} ${day}`)
            : last?.signOffs.length === 0;
          if (!isSo) found.push(`${id}: ${signOff.summary}; truly ${last?.signOffs.join(', ')}`);
        }
        return found;
      });
    },
  };
}
