import { createPanel, importPanel } from '../actions/panel.ts';
import { importEntities } from '../actions/panel-entities.ts';
import { drawEntity } from '../draw-entity.ts';
import { panelTypes } from '../listing.ts';
import type { EditSession, TimedRow } from '../recording.ts';
import { dayOf, type Panel, type PanelType, type Software, versionOf } from '../state.ts';
import { chance, pick, several, someOf, type Values } from '../values.ts';
import { curators, panels, superPanelName } from './words.ts';

const minute = 60_000_000;

/** Microseconds between the first rows of two panels. */
const panelApart = 90 * minute;

/** How long the first panels take, in microseconds; the history begins after them. */
export const fillingTime = (panels.length + 1) * panelApart;

/**
 * Fills an empty catalogue from a time on (microseconds since the epoch): panels, most of them public, each with its first
 * entities imported in bulk, and a super panel. Returns the rows that this writes, oldest first.
 */
export function fillCatalogue(software: Software, values: Values, at: number): readonly TimedRow[] {
  const rows: TimedRow[] = [];
  panels.forEach(([name, ...codes], index) => {
    // The last ones stay internal: their rows appear only when they are made public.
    const status = index >= panels.length - 2 ? 'internal' : 'public';
    rows.push(...addPanel(software, values, at + index * panelApart, { name, codes, status }).rows);
  });
  rows.push(...addSuperPanel(software, values, at + panels.length * panelApart));
  return rows;
}

/** From the row of a new panel to the rows of its first entities, in microseconds. */
export const panelFillingTime = 5 * minute;

/** Adds a panel with its first entities, imported in bulk five minutes after it. */
export function addPanel(
  software: Software,
  values: Values,
  at: number,
  { name, codes, status }: NewPanel & { readonly status: 'internal' | 'public' },
): { readonly panel: Panel; readonly rows: readonly TimedRow[] } {
  const session = newSession(software, values, at, { name, codes });
  const { panel } = session;
  software.panels.push(panel);
  panel.status = status;
  const { rows } = status === 'internal' ? importPanel(session) : createPanel(session);
  const later = { ...session, at: session.at + panelFillingTime };
  const imported = importEntities(later, firstEntities(values), () => values.integer(26_000, 64_000));
  panel.signOffs = panel.signOffs.map(({ day }) => ({ version: versionOf(panel), day }));
  return { panel, rows: [...rows, ...imported.rows] };
}

interface NewPanel {
  readonly name: string;
  readonly codes: readonly string[];
}

function newSession(
  { panels: existing, codeLine }: Software,
  values: Values,
  at: number,
  { name, codes }: NewPanel,
): EditSession & { readonly panel: Panel } {
  const panel: Panel = { ...drawPanel(values, { id: existing.length + 1, at }), archive: [] };
  panel.name = name;
  panel.description = `About ${name}`;
  panel.relevantDisorders = [...codes];
  panel.types = typesFor(panel.signOffs.length > 0);
  const person = { name: pick(values, curators), curator: true };
  return { codeLine, panel, person, at, gap: () => values.gap() };
}

function typesFor(signedOff: boolean): PanelType[] {
  return panelTypes.filter(
    ({ slug }) => slug === 'gms-rare-disease' || (signedOff && slug === 'gms-signed-off'),
  );
}

function firstEntities(values: Values): ReturnType<typeof drawEntity>[] {
  const types = [
    ...Array.from({ length: values.integer(5, 9) }, () => 'gene' as const),
    'str',
    'region',
  ] as const;
  const entities = types.map((type) => drawEntity(values, type));
  return [...new Map(entities.map((entity) => [entity.name, entity])).values()];
}

function addSuperPanel(software: Software, values: Values, at: number): readonly TimedRow[] {
  const session = newSession(software, values, at, { name: superPanelName, codes: [] });
  session.panel.childPanels = software.panels.slice(0, 3);
  session.panel.types = panelTypes.filter(({ slug }) => slug === 'superpanel');
  software.panels.push(session.panel);
  return createPanel(session).rows;
}

interface PanelStart {
  readonly id: number;
  readonly at: number;
}

/** A panel without entities, at version 0.0. */
export function drawPanel(values: Values, { id, at }: PanelStart): Panel {
  const name = values.panelName();
  return {
    id,
    name,
    description: `About ${name}`,
    status: 'public',
    major: 0,
    minor: 0,
    versionCreated: at,
    types: someOf(values, 30, panelTypes),
    diseaseGroup: pick(values, [
      'Neurology and neurodevelopmental disorders',
      'Cardiovascular disorders',
      '',
    ]),
    diseaseSubGroup: pick(values, ['Motor and sensory disorders', '']),
    relevantDisorders: several(values, 0, 2, () => values.disorder()),
    hpoTerms: several(values, 0, 2, () => values.hpoTerm()),
    childPanels: [],
    signOffs: chance(values, 40) ? [{ version: '0.0', day: dayOf(at) }] : [],
    entities: [],
  };
}
