/** The address of the page of a panel. */
export const panelAddress = (catalogue: string, id: number): string =>
  `/panel/${encodeURIComponent(catalogue)}/${id}`;

/** No name in a catalogue is longer; a longer one would make the address too long. */
const LONGEST_NAME = 200;

/** The address of all changes of an entity, on one panel or on all. */
export function entityAddress(name: string, panel?: number): string {
  const gene = name.length <= LONGEST_NAME ? `gene=${written(name)}&` : '';
  return `/?${panel === undefined ? '' : `panel=${panel}&`}${gene}since=all`;
}

/** A value of an address as a form writes it. Nearly every name needs nothing, and a report has thousands. */
const written = (value: string): string =>
  /^[\w.-]*$/.test(value) ? value : new URLSearchParams({ value }).toString().slice('value='.length);

/** The address of the panels that hold a gene, STR or region. */
export const geneAddress = (name: string): string =>
  name.length > LONGEST_NAME ? '/' : `/gene?${new URLSearchParams({ name })}`;

/** The address of what a panel held, which asks for a version, a day, or what is signed off. */
export const stateAddress = (catalogue: string, panel: number): string =>
  `/state?${new URLSearchParams({ catalogue, panel: String(panel) })}`;

/** The address of what a version of a panel changed. */
export const versionAddress = (catalogue: string, panel: number, version: string): string =>
  `/compare?${new URLSearchParams({ catalogue, panel: String(panel), sides: `previous,${version}` })}`;
