const PREFIX = 'panel#';

/** The key of a panel's state, beside those of entities: theirs begin with a digit. */
export const panelKey = (id: number): string => PREFIX + id;

/** The id of the panel whose state has this key. */
export const panelIdOf = (key: string): number => Number(key.slice(PREFIX.length));
