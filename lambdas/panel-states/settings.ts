/** How often the states of panels are asked for, by default: a public catalogue asked automated readers to slow down. */
export const defaultArchivePace: ArchivePace = { secondsBetween: 10, requestsPerDay: 2000 };

/** How often one catalogue is asked for states of panels. */
export interface ArchivePace {
  /** The least time between the beginnings of two requests, in seconds. */
  readonly secondsBetween: number;
  /** The most requests in a day of UTC. */
  readonly requestsPerDay: number;
}
