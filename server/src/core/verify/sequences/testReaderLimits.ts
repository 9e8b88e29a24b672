// The limits of evaluating one test file, and patterns for the names of runners and spy makers.

/**
 * Maximum numbers. `steps`, `stepsOfTest`: evaluated expressions for one test file, and for one of its tests. `depth`:
 * nested calls and expressions. `objects`: objects of one test file. `uses`: steps with each object.
 */
export const LIMITS = { steps: 200_000, stepsOfTest: 20_000, depth: 60, objects: 400, uses: 60 };

/**
 * `before`: functions of runners whose callback runs before each test. `tests`: functions whose callback is a test.
 * `emptyCollection`: code that creates an empty `Map` or `Set`. `spyMakers`: calls that create a function which records
 * its calls.
 */
export const PATTERNS = {
  before: /^(?:beforeEach|before|beforeAll|setup)$/,
  tests: /^(?:it|test)$/,
  emptyCollection: /^new (?:Map|Set)\(\)$/,
  spyMakers: /^(?:(?:vi|jest|mock|t\.mock)\.fn|sinon\.(?:spy|stub|fake))$/,
};
