// Removes spies that one test creates and reads itself, because no other test can notice them.

/** Matches an import of functions of a test runner under their own names. */
const RUNNER_IMPORT = /^import \{([\w$, ]{1,300})\} from (['"])(?:vitest|@jest\/globals|node:test)\2;?$/;
/** Objects of test runners that create spies, but can also replace modules, globals and clocks. */
const SPY_OBJECTS = new Set(['vi', 'jest', 'mock']);
/** Matches a line that creates a spy without an implementation. */
const LOCAL_SPY = /^(\s+const ([\w$]+) = )(?:(?:vi|jest|mock)\.fn|sinon\.(?:spy|fake))\(\);?$/;
/** Matches the recorded calls of a spy as an argument. */
const READ_CALLS = /(?<![\w$.])([\w$]+)\.mock\.calls(?=[),])/g;

/**
 * Removes spies that one test creates and reads itself, and the names of spy objects in imports. Every other use of
 * these objects stays. `isTestStart`: true if the function of a test begins on the line; its end is recognised by the
 * indentation.
 */
export function removeLocalSpies(lines: readonly string[], isTestStart: (line: string) => boolean): readonly string[] {
  let test: { readonly indent: number; readonly spies: Set<string> } | null = null;
  return lines.map((line) => {
    const indent = line.search(/\S/);
    if (isTestStart(line)) test = { indent, spies: new Set() };
    else if (test !== null && indent <= test.indent) test = null;
    if (test === null) return removeSpyObjects(line);
    const { spies } = test;
    const [, head, name] = LOCAL_SPY.exec(line.trimEnd()) ?? [];
    if (name === undefined)
      return line.replace(READ_CALLS, (match, spyName: string) => (spies.has(spyName) ? spyName : match));
    spies.add(name);
    return `${head}null;`;
  });
}

function removeSpyObjects(line: string): string {
  const importedNames = RUNNER_IMPORT.exec(line.trimEnd())?.[1];
  if (importedNames === undefined) return line;
  const names = importedNames.split(',').map((name) => name.trim());
  // An alias for a spy object would hide its uses.
  if (names.some((name) => name.includes(' '))) return line;
  return line.replace(importedNames, () => names.filter((name) => !SPY_OBJECTS.has(name)).join(', '));
}
