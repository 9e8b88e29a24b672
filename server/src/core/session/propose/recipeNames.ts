// Ids of recipes that are not in recipeTable.ts, because they need results of code that ran in a sandbox.

/** Id of the recipe that writes tests which record the current behaviour of a function. */
export const CHARACTERISATION_RECIPE = 'characterization-test';

/** Id of the recipe that corrects the results which examples of the documentation state. */
export const CORRECT_EXAMPLE_RECIPE = 'correct-example';
