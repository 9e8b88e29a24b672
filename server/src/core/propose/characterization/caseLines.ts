// Writes the lines of the tests that record the current behaviour of one function.

import type { WantedFunction } from './functionAccess.ts';
import {
  applyStyle,
  createCaseTitle,
  createResultAssertion,
  formatCall,
  memberTitle,
  quoteText,
  stepsTitle,
  stepText,
  subjectTitle,
  type Case,
  type ExpressionOf,
} from './caseText.ts';
import { breakIntoLines } from './layout.ts';
import { createCallsExpression, createRecorderLines } from './recorders.ts';
import type { TestStyle } from './testStyle.ts';

/** Runners whose tests have to call `end()` when they are finished. */
const RUNNERS_WITH_END: ReadonlySet<TestStyle['framework']> = new Set(['tape', 'tap']);

/** A function whose current behaviour is recorded, with the cases that record it. */
export interface GuardedFunction extends WantedFunction {
  /** The subject of the tests: the name of the function, or `Stack.size` for a member of the class `Stack`. */
  readonly qualifiedName: string;
  readonly cases: readonly Case[];
}

/** The place in a test file at which tests are inserted. */
export interface CasePlace {
  /** True if the place is in a group that is named after the function. */
  readonly isGrouped: boolean;
  /** The subject with which titles at this place begin: `Stack#size`. */
  readonly titleStart?: string | undefined;
  readonly indent: string;
  /** The text of the test file so far. */
  readonly fileText: string;
}

/**
 * Writes the lines of all tests. Null if the assertions of the file have no form for a result, or if a case needs
 * recorders and the file uses no arrow functions.
 */
export function createCaseLines(
  { path, name, exportedAs, qualifiedName, cases }: GuardedFunction,
  expressionOf: ExpressionOf,
  testStyle: TestStyle,
  { isGrouped, titleStart, indent, fileText }: CasePlace,
): string[] | null {
  const { style, call: testFunction } = testStyle;
  const semicolon = style.semicolons ? ';' : '';
  const lines: string[] = [`${indent}// Records what ${qualifiedName} does now.`];
  const titles = new Set<string>();
  for (const [index, testCase] of cases.entries()) {
    const statements = testCase.steps?.map((step) => stepText(step, expressionOf)) ?? [];
    const { observed, recorders = [] } = testCase;
    // Recorders are written as arrow functions, which the file does not use.
    if (recorders.length > 0 && !testStyle.usesArrows) return null;
    const checkedExpression =
      observed === undefined
        ? (statements.pop() ?? formatCall(testCase, expressionOf({ path, name, exportedAs })))
        : createCallsExpression(observed, testStyle);
    const assertion = createResultAssertion(testCase, checkedExpression, testStyle);
    if (assertion === null) return null;
    const title = chooseTitle(
      testCase,
      { name, qualifiedName: qualifiedName, number: index + 1 },
      { isGrouped, titleStart: titleStart, fileText: fileText },
      titles,
      style,
    );
    titles.add(title);
    const isAsync = [assertion, ...statements].some((text) => /(?:^|\()await /.test(text));
    if (index > 0) lines.push('');
    lines.push(
      `${indent}${testFunction}(${quoteText(title, style.quote)}, ${createFunctionHead(testStyle, isAsync)}`,
      ...createRecorderLines(recorders, observed, testStyle).map((line) => `${indent}${style.indent}${line}`),
      ...statements.map((statement) => `${indent}${style.indent}${applyStyle(statement, style)}${semicolon}`),
      ...`${indent}${style.indent}${breakLongAssertion(assertion, testCase, indent + style.indent, testStyle)}${semicolon}`.split(
        '\n',
      ),
      ...(RUNNERS_WITH_END.has(testStyle.framework)
        ? [`${indent}${style.indent}${testStyle.assertName}.end()${semicolon}`]
        : []),
      `${indent}})${semicolon}`,
    );
  }
  return lines;
}

/**
 * Chooses a title that no other test has: one in the style of the place, the plain title of the case, a longer one that
 * contains the whole last call, or the plain one with a number.
 */
function chooseTitle(
  testCase: Case,
  { name, qualifiedName, number }: Pick<GuardedFunction, 'name' | 'qualifiedName'> & { readonly number: number },
  { isGrouped, titleStart, fileText }: Omit<CasePlace, 'indent'>,
  titles: ReadonlySet<string>,
  { quote }: TestStyle['style'],
): string {
  const isInFile = (text: string) => titles.has(text) || fileText.includes(quoteText(text, quote));
  const shortTitle =
    titleStart !== undefined && (testCase.around || testCase.steps) ? subjectTitle(testCase, titleStart) : null;
  if (shortTitle !== null && !isInFile(shortTitle)) return shortTitle;
  const isTaken = (text: string) => (testCase.steps ? isInFile(text) : titles.has(text));
  const unnumberedTitle = createPlainTitle(testCase, name, qualifiedName, isGrouped, titleStart);
  let title = testCase.steps && isTaken(unnumberedTitle) ? stepsTitle(testCase, true) : unnumberedTitle;
  for (let suffixNumber = number; isTaken(title); suffixNumber += 1) title = `${unnumberedTitle} (${suffixNumber})`;
  return title;
}

/** The usual title of a case, which may occur several times. */
function createPlainTitle(
  testCase: Case,
  name: string,
  qualifiedName: string,
  isGrouped: boolean,
  titleStart = name,
): string {
  if (testCase.steps) return stepsTitle(testCase);
  if (testCase.around) return memberTitle(testCase, name, qualifiedName);
  return isGrouped ? createCaseTitle(testCase) : `${titleStart} ${createCaseTitle(testCase)}`;
}

/** The start of the function that contains a test, such as `async () => {`. */
function createFunctionHead({ usesArrows, parameters }: TestStyle, isAsync: boolean): string {
  return `${isAsync ? 'async ' : ''}${usesArrows ? `${parameters} => {` : `function ${parameters} {`}`;
}

/** The assertion. If it is wider than the lines of the file, its expected result is broken into several lines. */
function breakLongAssertion(
  assertion: string,
  { result }: Case,
  indent: string,
  { style, lineWidth, usesTrailingCommas }: TestStyle,
): string {
  const expected = 'value' in result ? applyStyle(result.value, style) : '';
  if (indent.length + assertion.length < lineWidth || !assertion.endsWith(`${expected})`)) return assertion;
  const head = assertion.slice(0, -expected.length - 1);
  const usedWidth = indent.length + head.length + 1;
  return `${head}${breakIntoLines(expected, { indent, indentUnit: style.indent, lineWidth: lineWidth, usedColumns: usedWidth, usesTrailingCommas: usesTrailingCommas })})`;
}
