// The limits of reading one test file, and the names of runners and of makers of spies.

/**
 * Maximum numbers. `steps`, `stepsOfTest`: evaluated expressions for one test file, and for one of its tests. `depth`: of
 * calls and expressions. `objects`: of one test file. `uses`: steps with each object.
 */
export const LIMITS = { steps: 200_000, stepsOfTest: 20_000, depth: 60, objects: 400, uses: 60 };

/**
 * `before`: functions of runners whose callback runs before each test. `tests`: those whose callback is a test.
 * `spyMakers`: calls that make a function which records its calls.
 */
export const PATTERNS = {
  before: /^(?:beforeEach|before|beforeAll|setup)$/,
  tests: /^(?:it|test)$/,
  emptyCollection: /^new (?:Map|Set)\(\)$/,
  spyMakers: /^(?:(?:vi|jest|mock|t\.mock)\.fn|sinon\.(?:spy|stub|fake))$/,
};
