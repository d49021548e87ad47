import type { LocalCatalogue } from '../catalogue.ts';
import type { Checks } from '../checks.ts';
import type { Surroundings } from '../deployed-function.ts';
import type { Stage } from '../stage.ts';

/** What all stories share. */
export interface World extends Surroundings {
  readonly stage: Stage;
  /** A catalogue that is open to everybody, read from `from` on. */
  readonly open: LocalCatalogue;
  /** One that wants a fixed header. */
  readonly closed: LocalCatalogue;
  readonly checks: Checks;
  readonly say: (line: string) => void;
}

/** What the settings say of the two. */
export const cataloguesOf = ({ open, closed }: Pick<World, 'open' | 'closed'>) =>
  ({
    open: { base: open.base, pollEveryMinutes: 5, from: '2026-01-01T00:00:00Z' },
    closed: {
      base: closed.base,
      access: { kind: 'header' },
      pollEveryMinutes: 5,
      from: '2026-01-01T00:00:00Z',
    },
  }) as const;
