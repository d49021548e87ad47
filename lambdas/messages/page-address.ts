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
  return address === null ? [] : [{ label: 'Panel', button: 'Open the panel', address }];
}

/** The same event about its panel alone, for the address of the panel's page. */
export const withoutEntity = (event: PanelEvent): PanelEvent =>
  ({ ...event, data: { ...event.data, entity: null } }) as PanelEvent;

/** Names in the catalogue are shorter: no page is known for a longer one. */
const LONGEST_NAME = 200;

function siteOf(source: string): string | null {
  if (!source.endsWith('/api/v1/') || !URL.canParse(source)) return null;
  const { protocol, hostname, origin, pathname } = new URL(source);
  if (protocol !== 'https:' || !hostname.includes('.') || /^[\d.]+$/.test(hostname)) return null;
  return `${origin}${pathname.slice(0, -'api/v1/'.length)}`;
}
