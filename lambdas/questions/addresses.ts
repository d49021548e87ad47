/** The address of the page of a panel. */
export const panelAddress = (catalogue: string, id: number): string =>
  `/panel/${encodeURIComponent(catalogue)}/${id}`;

/** No name in a catalogue is longer; a longer one would make the address too long. */
const LONGEST_NAME = 200;

/** The address of all changes of an entity, on one panel or on all. */
export function entityAddress(name: string, panel?: number): string {
  return `/?${new URLSearchParams({
    ...(panel !== undefined && { panel: String(panel) }),
    ...(name.length <= LONGEST_NAME && { gene: name }),
    since: 'all',
  })}`;
}

/** The address of the panels that hold a gene, STR or region. */
export const geneAddress = (name: string): string =>
  name.length > LONGEST_NAME ? '/' : `/gene?${new URLSearchParams({ name })}`;

/** The address of what a panel held, which asks for a version, a day, or what is signed off. */
export const stateAddress = (catalogue: string, panel: number): string =>
  `/state?${new URLSearchParams({ catalogue, panel: String(panel) })}`;

/** The address of what a version of a panel changed. */
export const versionAddress = (catalogue: string, panel: number, version: string): string =>
  `/compare?${new URLSearchParams({ catalogue, panel: String(panel), sides: `previous,${version}` })}`;
