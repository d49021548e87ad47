/** The exit code of an answer that says nothing, in the help of a command. */
export const limitedExitUsage = '3 a name in the filter is unknown, or nothing of the period was read';
