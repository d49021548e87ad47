/**
 * What the code of subscribers imports as `gene-panel-notifier/impact`: what panels held at their versions, by the archive
 * of the catalogue, and which cases the difference concerns.
 */
import { createCatalogue } from '../lambdas/catalogue/client.ts';
import { anonymous } from '../lambdas/catalogue/http/access.ts';
import { contentsOf, type PanelContents } from '../lambdas/panels/compare-states.ts';
import { stateFromDetail } from '../lambdas/panels/state-from-detail.ts';
import { systemClock } from '../lambdas/run/clock.ts';
import { instantOf } from '../lambdas/run/instant.ts';
import { jsonLog, type Log } from '../lambdas/run/log.ts';

export {
  differencesOf,
  type EntityDifference,
  greenDifference,
  type PanelContents,
} from '../lambdas/panels/compare-states.ts';
export type { AnalysedCase, CasePanel, ImpactStates, Unknown } from '../lambdas/questions/impact/impact.ts';
export { type Impact, impactOf } from '../lambdas/questions/impact/impact.ts';

export interface PanelVersionsOptions {
  /** The catalogue's `/api/v1/` URL. */
  readonly catalogueUrl: string;
  /** Standard error by default, one JSON object a line. */
  readonly log?: Log;
}

/**
 * What panels of a catalogue held. A version is asked for once: a version that has ended never changes.
 *
 * @throws {CatalogueError} from every method, when the catalogue cannot be read
 */
export interface PanelVersions {
  /** What a panel held at a version; null where the catalogue keeps no archive of it. */
  version(panelId: number, version: string): Promise<PanelContents | null>;
  /** What it holds now; null where the catalogue does not show the panel. */
  present(panelId: number): Promise<PanelContents | null>;
  close(): Promise<void>;
}

/** Opens the archive of a catalogue. It sends no request yet, and sends one at a time. */
export function openPanelVersions({ catalogueUrl, log }: PanelVersionsOptions): PanelVersions {
  const catalogue = createCatalogue({
    baseUrl: catalogueUrl,
    access: anonymous,
    clock: systemClock,
    log: log ?? jsonLog((line) => process.stderr.write(`${line}\n`), systemClock.now),
  });
  const asked = new Map<string, Promise<PanelContents | null>>();
  let last: Promise<unknown> = Promise.resolve();
  const read = (panelId: number, version?: string): Promise<PanelContents | null> => {
    const reading = last.then(async () => {
      const detail = await catalogue.panelDetail(panelId, version);
      if (!detail) return null;
      const source = version === undefined ? 'present' : 'archive';
      const proof = { kind: 'unproven', why: 'it was not compared with the log' } as const;
      return contentsOf(stateFromDetail(detail, { source, readAt: instantOf(systemClock.now()), proof }));
    });
    last = reading.catch(() => {});
    return reading;
  };
  return {
    version(panelId, version) {
      const key = `${panelId} ${version}`;
      const known = asked.get(key) ?? read(panelId, version);
      asked.set(key, known);
      // What failed is asked for again.
      known.catch(() => asked.delete(key));
      return known;
    },
    present: (panelId) => read(panelId),
    close: () => catalogue.close(),
  };
}
