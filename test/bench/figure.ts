/** One line of the bench's table. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** Shown after the name, in brackets: what differs from run to run, while the name stays the same. */
  readonly detail?: string;
  /** What the value is compared with: the same work done in the plainest way, measured in the same run. */
  readonly baseline?: string;
  /** The most that the project wants; absent for a figure that is only shown. */
  readonly goal?: number;
}

/** A group of figures that are measured together, one after another. */
export interface Race {
  /** What `npm run bench -- NAME` calls it. */
  readonly name: string;
  readonly title: string;
  run(): Promise<RaceResult>;
}

interface RaceResult {
  readonly figures: readonly Figure[];
  /** What was left out and why, or what a reader must know of the figures. */
  readonly notes?: readonly string[];
}
