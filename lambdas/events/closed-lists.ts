/** The values of fields that take few, without a schema: code that only compares them loads none. */

/** Ratings as lists: green is diagnostic; `none` is "No list". */
export const ratings = ['green', 'amber', 'red', 'none'] as const;
export const directions = ['upgraded', 'downgraded', 'new', 'unchanged', 'unknown'] as const;
export const entityTypes = ['gene', 'str', 'region'] as const;
