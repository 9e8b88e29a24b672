// Facts about objects that tests use step by step, shared by the core and the harness. Plain data.

/** An export that a test imports. */
export interface ImportedExport {
  /** The module that tests import it from, relative to the root. The module may only re-export it. */
  readonly path: string;
  readonly name: string;
  /** `default` for a default export. */
  readonly exportedAs: string;
}

/** The code that creates an object: `new Stack(…)`, `Stack.from(…)`, `createRouter(…)`. */
export interface Maker extends ImportedExport {
  readonly how: 'new' | 'call';
  /** The static method that creates the object; null for the class or the function itself. */
  readonly factory: string | null;
}

/** One way to use the object. */
export interface ObjectUse {
  readonly name: string;
  /**
   * `function`: an exported function that takes the object as its first argument. `result`: a call of the function that
   * the latest call of the method `name` has returned. `calls`: only as the last step; reads the arguments that a
   * recorder has received.
   */
  readonly kind: 'method' | 'get' | 'function' | 'result' | 'calls';
  /** Set for a function. */
  readonly imported: ImportedExport | null;
  /** Set for a property that a test compares with a value. */
  readonly asserted?: true;
  /** For `result`, the name of the returned function: `unsubscribe`. */
  readonly variable?: string;
  /** Set if the tests await the result of the use. */
  readonly awaited?: true;
}

/** An object with the ways in which the tests use it. */
export interface UsedObject {
  readonly maker: Maker;
  /** The name of the object in tests: `router`. */
  readonly variable: string;
  readonly uses: readonly ObjectUse[];
  /** The name of a function that is passed to record its calls: `listener`. Absent if the tests pass no function. */
  readonly recorder?: string;
}
