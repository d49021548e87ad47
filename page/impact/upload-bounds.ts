/** The address of the form for cases, and of its answer. */
export const IMPACT_PATH = '/impact';

/** The most bytes of a file of cases with its form: it is held in memory while it is answered. */
export const LARGEST_UPLOAD = 16_000_000;

/** The most lines of a file of cases. The command `impact` takes millions. */
export const MOST_LINES = 200_000;
