// Ids of recipes that run code of the repository in a sandbox, which are not in the table of pure recipes.

/** Tests that record the current behaviour of a function. */
export const CHARACTERIZATION_RECIPE = 'characterization-test';
