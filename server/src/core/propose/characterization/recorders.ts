// Writes the recorders of a test: the functions that it passes in order to record their calls. They are spies of the
// runner or of Sinon if the file uses some, otherwise functions that append to a list.

import type { Style } from '../fileStyle.ts';
import type { TestStyle } from './testStyle.ts';

/** The name of the list of calls in a file whose tests have no spies. */
const CALLS_VARIABLE = 'calls';

/**
 * The lines that declare the recorders of a test, without indentation. `observedRecorder`: the recorder whose calls are
 * checked.
 */
export function createRecorderLines(
  recorders: readonly string[],
  observedRecorder: string | undefined,
  {
    spy,
    isTypeScript,
    style,
  }: Pick<TestStyle, 'spy' | 'isTypeScript'> & { readonly style: Pick<Style, 'semicolons' | 'indent'> },
): readonly string[] {
  const semicolon = style.semicolons ? ';' : '';
  const isObserved = (name: string) => name === observedRecorder;
  if (spy)
    return recorders.map((name) => `const ${name} = ${isObserved(name) ? spy.creation : '() => {}'}${semicolon}`);
  const [listType, argumentType] = isTypeScript ? [': unknown[][]', ': unknown[]'] : ['', ''];
  return recorders.flatMap((name) =>
    isObserved(name)
      ? [
          `const ${CALLS_VARIABLE}${listType} = []${semicolon}`,
          `const ${name} = (...args${argumentType}) => {`,
          `${style.indent}${CALLS_VARIABLE}.push(args)${semicolon}`,
          `}${semicolon}`,
        ]
      : [`const ${name} = () => {}${semicolon}`],
  );
}

/**
 * Chooses the spies for a new file with these cases: those of Vitest or Jest if a case checks the calls of a recorder,
 * otherwise none. A new file does not import a library for spies.
 */
export function chooseSpy({ spy }: TestStyle, cases: readonly { readonly observed?: string }[]): TestStyle['spy'] {
  const isOfRunner = spy !== null && /^(?:vi|jest)\.fn\(/.test(spy.creation);
  return isOfRunner && cases.some(({ observed }) => observed !== undefined) ? spy : null;
}

/** The object that creates the spy: `vi` for `vi.fn()`. */
export function objectOfSpy({ creation }: NonNullable<TestStyle['spy']>): string {
  return creation.slice(0, creation.indexOf('.'));
}

/** The expression for the calls of a recorder: a list of lists of arguments. */
export function createCallsExpression(observedRecorder: string, { spy }: Pick<TestStyle, 'spy'>): string {
  return spy ? `${observedRecorder}${spy.callsMember}` : CALLS_VARIABLE;
}

/**
 * The assertion of how often a recorder was called; null if the file has no short form for it. `count`: the number of
 * calls, which all had no arguments.
 */
export function createCallCountAssertion(
  observedRecorder: string,
  count: number,
  { spy, assertion }: Pick<TestStyle, 'spy' | 'assertion'>,
): string | null {
  if (spy?.callsMember !== '.mock.calls' || assertion !== 'expect') return null;
  return count === 0
    ? `expect(${observedRecorder}).not.toHaveBeenCalled()`
    : `expect(${observedRecorder}).toHaveBeenCalledTimes(${count})`;
}
