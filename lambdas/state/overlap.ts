/** The longest overlap that can be configured, in minutes. The ledger keeps the rows of this time. */
export const longestOverlapMinutes = 1440;
