// Ids of recipes that run code of the repository in a sandbox, which the table of pure recipes does not hold.

/** Tests that record what a function does now. */
export const CHARACTERIZATION = 'characterization-test';
