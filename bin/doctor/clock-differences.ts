/** Milliseconds by which the clock of this machine is ahead of a service's, by the service's name. */
export type ClockDifferences = Map<string, number>;
