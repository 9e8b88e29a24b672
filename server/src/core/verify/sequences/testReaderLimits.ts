// The limits of reading one test file, and the names of runners and of makers of spies.

/** Maximum number of evaluated expressions for one test file, and for one of its tests. */
export const [MAX_STEPS, MAX_STEPS_OF_TEST] = [200_000, 20_000];
/** Maximum depth of calls and expressions. */
export const MAX_DEPTH = 60;
/** Maximum number of objects of one test file, and of steps with each. */
export const [MAX_OBJECTS, MAX_USES] = [400, 60];
/** Functions of runners whose callback runs before each test, and those whose callback is a test. */
export const [BEFORE, TESTS] = [/^(?:beforeEach|before|beforeAll|setup)$/, /^(?:it|test)$/];
export const EMPTY_COLLECTION = /^new (?:Map|Set)\(\)$/;
/** Calls that make a function which records its calls. */
export const SPY_MAKERS = /^(?:(?:vi|jest|mock|t\.mock)\.fn|sinon\.(?:spy|stub|fake))$/;
