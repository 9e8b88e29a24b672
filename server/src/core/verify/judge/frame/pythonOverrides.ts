// Finds the lines at which a Python file replaces an assertion of unittest or pytest.

import type { PythonLine } from '../python/pythonStatements.ts';
import type { TestFrame } from './testFrame.ts';

/** Matches a method that replaces an assertion of unittest. */
const METHOD_PATTERN =
  /^(?:async )?def (assert(?:True|False|Equals?|NotEqual|Is|IsNot|IsNone|IsNotNone|In|NotIn|Raises|RaisesRegex|AlmostEqual|(?:List|Tuple|Set|Dict|Sequence|Count)Equal)|fail)\(/;
/** Matches a line that replaces an assertion, in any place. */
const ASSIGNED_PATTERN =
  /^(?:(?:pytest|unittest|(?:\w+\.)*TestCase)\.(?:assert\w+|raises|fail|approx) ?=(?!=)|(?:builtins\.)?AssertionError ?=(?!=)|setattr\((?:pytest|unittest|(?:\w+\.)*TestCase), ?'(?:assert\w+|raises|fail|approx)')/;
/** Matches a line by which a test class replaces its own assertion. */
const OWN_PATTERN = /^(?:(?:self|cls)\.(?:assert\w+|fail) ?=(?!=)|setattr\((?:self|cls), ?'(?:assert\w+|fail)')/;
/** Matches names of classes that test cases are derived from. */
const CASE_CLASS = /(?:Test|Case|Tests)$|^Test/;

/** A class or function around a line. */
interface Block {
  readonly kind: string;
  readonly name: string;
  readonly indent: number;
}

/** The lines that replace assertions for tests, without those of fakes and those that call the original. */
export function findPythonOverrides(lines: readonly PythonLine[]): TestFrame['overrides'] {
  const caseClasses = findCaseClasses(lines);
  const enclosing: Block[] = [];
  return lines.flatMap((line, index) => {
    while (enclosing.length > 0 && enclosing.at(-1)!.indent >= line.indent) enclosing.pop();
    const owner = enclosing.findLast(({ kind }) => kind === 'class');
    const isOwned = owner !== undefined && caseClasses.has(owner.name);
    const isMember = isOwned && enclosing.at(-1) === owner;
    const [, kind, name] = /^(?:async )?(def|class) (\w+)/.exec(line.code) ?? [];
    if (kind !== undefined) enclosing.push({ kind, name: name!, indent: line.indent });
    const [, assertion] = METHOD_PATTERN.exec(line.code) ?? [];
    const isReplaced =
      ASSIGNED_PATTERN.test(line.text) ||
      (isOwned && OWN_PATTERN.test(line.text)) ||
      (isMember && assertion !== undefined && !callsOriginal(lines, index, assertion));
    return isReplaced ? [{ text: line.text, line: line.line }] : [];
  });
}

/** Classes with tests, classes whose name or base shows that they are test cases, and the bases of all of them. */
function findCaseClasses(lines: readonly PythonLine[]): ReadonlySet<string> {
  const bases = new Map<string, readonly string[]>();
  const caseClassNames = new Set<string>();
  let current: { readonly name: string; readonly indent: number } | null = null;
  for (const { code, indent } of lines) {
    const [, name, list = ''] = /^class (\w+)(?:\((.*)\))?/s.exec(code) ?? [];
    if (name !== undefined) {
      current = { name, indent };
      bases.set(
        name,
        list.split(',').map((base) => base.trim().split('.').at(-1)!),
      );
      if (bases.get(name)!.some((base) => CASE_CLASS.test(base)) || isMixin(name)) caseClassNames.add(name);
    } else if (current && indent <= current.indent) current = null;
    else if (current && /^(?:async )?def test/i.test(code)) caseClassNames.add(current.name);
  }
  for (let countBefore = -1; countBefore < caseClassNames.size; ) {
    countBefore = caseClassNames.size;
    for (const [name, basesOfClass] of bases) {
      if (basesOfClass.some((base) => caseClassNames.has(base))) caseClassNames.add(name);
      if (caseClassNames.has(name)) for (const base of basesOfClass) caseClassNames.add(base);
    }
  }
  return caseClassNames;
}

/** True for names of classes that are mixed into test cases. */
function isMixin(name: string): boolean {
  return name.endsWith('Mixin') && /Test|Assert/.test(name);
}

/** True if the body of the method at `index` calls the method that it replaces. */
function callsOriginal(lines: readonly PythonLine[], index: number, name: string): boolean {
  const { indent } = lines[index]!;
  const call = new RegExp(String.raw`(?:\bsuper\([^)]*\)|\b(?:\w+\.)*TestCase)\.${name}\(`);
  for (const line of lines.slice(index + 1)) {
    if (line.indent <= indent) return false;
    if (call.test(line.code)) return true;
  }
  return false;
}
