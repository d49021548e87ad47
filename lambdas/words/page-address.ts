import type { PanelEvent } from '../events/schemas.ts';
import type { Link } from './notice.ts';

/**
 * The address of the catalogue's own page for people about the panel or entity of an event. Null where it is
 * unknown: it is derived from the address of a public catalogue's API, `https://…/api/v1/`.
 */
export function pageAddress({ source, data: { panel, entity } }: PanelEvent): string | null {
  if (typeof panel?.id !== 'number') return null;
  const site = siteOf(source);
  if (site === null) return null;
  const page = `${site}panels/${panel.id}/`;
  if (!entity || entity.name === '' || entity.name.length > LONGEST_NAME || /^\.{1,2}$/.test(entity.name))
    return page;
  return `${page}${entity.type}/${encodeURIComponent(entity.name.toWellFormed())}/`;
}

/** The link to the catalogue's own page; none where it is unknown. */
export function pageLinks(event: PanelEvent): readonly Link[] {
  const address = pageAddress(event);
  if (address === null) return [];
  const isPanel = address === pageAddress(withoutEntity(event));
  const { label, button } = isPanel ? links.panel : links[event.data.entity?.type ?? 'gene'];
  return [{ label, button, address }];
}

/** The same event about its panel alone, for the address of the panel's page. */
export const withoutEntity = (event: PanelEvent): PanelEvent =>
  ({ ...event, data: { ...event.data, entity: null } }) as PanelEvent;

/** What a link leads to, in plain text and on a button. */
const links = {
  panel: { label: 'Panel', button: 'Open the panel' },
  gene: { label: 'Gene on the panel', button: 'Open the gene' },
  str: { label: 'STR on the panel', button: 'Open the STR' },
  region: { label: 'Region on the panel', button: 'Open the region' },
} as const;

/** Names in the catalogue are shorter: no page is known for a longer one. */
const LONGEST_NAME = 200;

function siteOf(source: string): string | null {
  if (!source.endsWith('/api/v1/') || !URL.canParse(source)) return null;
  const { protocol, hostname, origin, pathname } = new URL(source);
  if (protocol !== 'https:' || !hostname.includes('.') || /^[\d.]+$/.test(hostname)) return null;
  return `${origin}${pathname.slice(0, -'api/v1/'.length)}`;
}
