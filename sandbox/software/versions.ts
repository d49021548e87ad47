import type { Entity, Panel } from './state.ts';

/**
 * Raises the minor version, from the change at that time (microseconds since the epoch). Call it before the change: the
 * version that ends is archived as the panel is now.
 */
export function raiseVersion(panel: Panel, at: number): void {
  beginVersion(panel, { major: panel.major, minor: panel.minor + 1 }, at);
}

/** Raises the major version, from that time (microseconds since the epoch). */
export function raiseMajorVersion(panel: Panel, at: number): void {
  beginVersion(panel, { major: panel.major + 1, minor: 0 }, at);
}

/** Begins a version of any number, and archives the one before where the panel has an archive. */
export function beginVersion(
  panel: Panel,
  { major, minor }: { readonly major: number; readonly minor: number },
  at: number,
): void {
  panel.archive?.push({ panel: copyOf(panel), endedAt: at });
  panel.major = major;
  panel.minor = minor;
  // A row that arrives late is dated before others of its panel; its version is not.
  panel.versionCreated = Math.max(at, panel.versionCreated);
}

/** The version of a panel as rows show it: `1.12`. */
export function versionOf({ major, minor }: Panel): string {
  return `${major}.${minor}`;
}

/** What the panel held at a version: the last one archived under that number, else the panel itself. */
export function panelAt(panel: Panel, version: string): Panel | undefined {
  if (versionOf(panel) === version) return panel;
  return panel.archive?.findLast((archived) => versionOf(archived.panel) === version)?.panel;
}

function copyOf({ archive: _own, ...panel }: Panel): Panel {
  return { ...panel, entities: panel.entities.map(entityCopy), childPanels: panel.childPanels.map(copyOf) };
}

/** The last copy of each entity: versions share the copies of what did not change between them. */
const copies = new WeakMap<Entity, Entity>();

function entityCopy(entity: Entity): Entity {
  const last = copies.get(entity);
  if (last && sameFields(last, entity)) return last;
  const copy = { ...entity, reviewers: [...entity.reviewers], comments: [...entity.comments] };
  copies.set(entity, copy);
  return copy;
}

/** Lists that people edit are replaced, never changed in place; those of reviews are in no state. */
function sameFields(copy: Entity, entity: Entity): boolean {
  for (const field in entity) {
    if (field === 'reviewers' || field === 'comments') continue;
    if (copy[field as keyof Entity] !== entity[field as keyof Entity]) return false;
  }
  return true;
}
