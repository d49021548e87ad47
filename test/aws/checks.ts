/** Named checks, each printed as it ends. */
export interface Checks {
  check(name: string, body: () => Promise<void> | void): Promise<void>;
  /** How many there were. */
  readonly passed: number;
}

/** The first check that fails ends the run, since the following checks depend on it. */
export function createChecks(say: (line: string) => void): Checks {
  let passed = 0;
  return {
    get passed() {
      return passed;
    },
    check: async (name, body) => {
      try {
        await body();
      } catch (error) {
        say(`  ✗ ${name}`);
        throw error;
      }
      passed += 1;
      say(`  ✓ ${name}`);
    },
  };
}
