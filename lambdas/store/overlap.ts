/** The longest overlap that can be configured, in minutes. */
export const longestOverlapMinutes = 1440;
