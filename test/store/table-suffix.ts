import { randomUUID } from 'node:crypto';

/** Ends the names of tables on a server that other files and runs use too, so that none creates a table of another. */
export const tableSuffix = (): string => `-${randomUUID()}`;
