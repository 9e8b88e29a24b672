// Id of the recipe that writes characterization tests. It is not in recipeTable.ts, because it runs code of the
// repository in a sandbox.

/** Id of the recipe that writes tests which record the current behaviour of a function. */
export const CHARACTERISATION_RECIPE = 'characterization-test';
