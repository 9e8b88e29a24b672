// Writes the parts of one test that records the current behaviour of a call: its title and its assertion.

import { wrapInBraces, type Style } from '../fileStyle.ts';
import type { WantedFunction } from './functionAccess.ts';
import { splitAtCommas } from './layout.ts';
import { createCallCountAssertion } from './recorders.ts';
import type { TestStyle } from './testStyle.ts';
import { joinWords } from '../../../util/values/joinWords.ts';

/**
 * The result of a call: a value, written as code, or an error. `promised`: true if the call returns a promise of that
 * result. `bare`: true if the value is an object without a prototype.
 */
export type CaseResult =
  | { readonly value: string; readonly promised: boolean; readonly bare?: true }
  | { readonly throws: string; readonly message: string; readonly promised: boolean };

/** A call with its result, from which a test is made. */
export interface Case {
  /** The arguments, each as an expression. */
  readonly given: readonly string[];
  /** For a member of a class: the code of the call before and after the class: `new `, `("a").size`. */
  readonly around?: readonly [before: string, after: string];
  /** For an object that is used in several steps: the statements in order; the last one is the call that is checked. */
  readonly steps?: readonly CaseStep[];
  /** The names of the functions that the steps pass to record their calls. */
  readonly recorders?: readonly string[];
  /** The recorder whose calls are checked; absent if the result of the last step is checked. */
  readonly observed?: string;
  readonly result: CaseResult;
  /** True if the call throws with each of the mutants that it distinguishes. */
  readonly mistakesThrow?: true;
}

/**
 * One statement: the text before and after the name of an export. A step without an export has its whole text in
 * `before`.
 */
export interface CaseStep {
  readonly before: string;
  readonly imported: WantedFunction | null;
  readonly after: string;
}

/** Returns the expression by which a test file reaches an export. */
export type ExpressionOf = (wanted: WantedFunction) => string;

/** Maximum number of characters of a title. A longer one is hard to read in the report of a test runner. */
const MAX_TITLE_LENGTH = 72;
/** Maximum number of characters of a value in a title. A longer one is named by its kind. */
const MAX_VALUE_LENGTH = 32;
/** Matches a string as JSON writes it. */
const STRING_PATTERN = /"(?:[^"\\]|\\.)*"/g;
/** Matches a string, a brace with the space inside of it, or another character. */
const PART_PATTERN = /"(?:[^"\\]|\\.)*"|\{ ?| ?\}|[^]/g;
/** Matches the code of a primitive value. */
const PRIMITIVE_PATTERN = /^(?:-?[\d.]+(?:e[+-]?\d+)?n?|true|false|null|undefined|"(?:[^"\\]|\\.)*")$/;

/**
 * The methods that compare two values, by the kind of assertions: the first for primitive values, the second for
 * others.
 */
const EQUALITY_METHODS = {
  strict: ['equal', 'deepEqual'],
  assert: ['strictEqual', 'deepStrictEqual'],
  ava: ['is', 'deepEqual'],
  tape: ['equal', 'deepEqual'],
  tap: ['equal', 'strictSame'],
  chaiAssert: ['strictEqual', 'deepEqual'],
} as const satisfies Partial<Record<TestStyle['assertion'], readonly [string, string]>>;

/**
 * The title of a call by its arguments: `returns 10 for 11 and 10`. A title that is too long names values by their
 * kinds, or is cut.
 */
export function createCaseTitle(guardedCase: Case): string {
  const { given } = guardedCase;
  const outcomeText = describeOutcome(guardedCase);
  const argumentsText =
    given.length === 0 ? 'without arguments' : `for ${joinWords(given.map((argument) => describeResult(argument)))}`;
  const title = `${outcomeText} ${argumentsText}`;
  if (title.length <= MAX_TITLE_LENGTH) return title;
  const shortTitle = `${outcomeText} for ${joinWords(given.map(describeCode))}`;
  if (shortTitle.length <= MAX_TITLE_LENGTH) return shortTitle;
  const handlesTitle = `handles ${joinWords(given.map(describeCode))}`;
  return handlesTitle.length <= MAX_TITLE_LENGTH ? handlesTitle : `${handlesTitle.slice(0, MAX_TITLE_LENGTH - 1)}…`;
}

/**
 * The title of a call of a class or a member: `new Stack("a").size returns 1`. If that is too long, it omits the
 * creation of the object, or names only the call. `name`: the name of the class. `subject`: `Stack.size`.
 */
export function memberTitle(guardedCase: Case, name: string, subject: string): string {
  const call = formatCall(guardedCase, name);
  const outcomeText = describeOutcome(guardedCase);
  const title = `${call} ${outcomeText}`;
  if (title.length <= MAX_TITLE_LENGTH) return title;
  const member = subject.slice(subject.lastIndexOf('.'));
  const memberCall = subject.includes('.') ? call.slice(call.lastIndexOf(member) + 1) : '';
  const shortTitle = `${memberCall} ${outcomeText}`;
  if (memberCall !== '' && shortTitle.length <= MAX_TITLE_LENGTH) return shortTitle;
  return call.length <= MAX_TITLE_LENGTH ? call : `${call.slice(0, MAX_TITLE_LENGTH - 1)}…`;
}

/**
 * The title `Stack#size returns 1`, which begins like the titles of the neighbouring tests and includes the arguments
 * of a method. Null if the case checks the calls of a recorder, or if the title is too long.
 */
export function subjectTitle(guardedCase: Case, subject: string): string | null {
  const { around, observed } = guardedCase;
  const member = /[\w$]+(?=\(?\)?$)/.exec(subject)?.[0] ?? '';
  const memberStart = around ? around[1].lastIndexOf(`.${member}(`) : -1;
  const subjectWithArguments =
    memberStart < 0 ? subject : `${subject.replace(/\(\)$/, '')}${around![1].slice(memberStart + member.length + 1)}`;
  const title = `${subjectWithArguments} ${describeOutcome(guardedCase)}`;
  return observed === undefined && title.length <= MAX_TITLE_LENGTH ? title : null;
}

/** The possible titles of a group of tests about the function or the member. */
export function groupTitles(qualifiedName: string): readonly string[] {
  const memberName = qualifiedName.slice(qualifiedName.lastIndexOf('.') + 1);
  return [qualifiedName, memberName, `${memberName}()`, `.${memberName}()`, `#${memberName}`, `${qualifiedName}()`];
}

/** The code of the call. `expression`: the expression for the function or the class. */
export function formatCall({ given, around }: Case, expression: string): string {
  return around ? `${around[0]}${expression}${around[1]}` : `${expression}(${given.join(', ')})`;
}

/**
 * The title of a case with several steps: `findRoute returns an object after addRoute`, cut if too long. `isExact`:
 * true if the title contains the whole last call instead of the name of the member.
 */
export function stepsTitle(guardedCase: Case, isExact = false): string {
  const { steps = [], observed, result } = guardedCase;
  const names = steps.slice(1).map((step) => readMemberOfStep(step) ?? step.before);
  const earlierNames = [...new Set(names.slice(0, -1))];
  const lastStep = steps.at(-1);
  const wholeCall = lastStep && stepText(lastStep, ({ name }) => name).replace(/^(?:const [\w$]+ = )?(?:await )?/, '');
  const call = isExact && wholeCall ? wholeCall : names.at(-1);
  const title = `${call} ${observed === undefined ? describeOutcome(guardedCase) : callsText(observed, result)}`;
  const fullTitle = earlierNames.length === 0 ? title : `${title} after ${joinWords(earlierNames)}`;
  return fullTitle.length <= MAX_TITLE_LENGTH ? fullTitle : `${fullTitle.slice(0, MAX_TITLE_LENGTH - 1)}…`;
}

/**
 * The title of a case that checks the calls of a recorder: `calls listener with 1`, `calls listener twice`, `does not
 * call listener`.
 */
function callsText(recorder: string, result: CaseResult): string {
  const calls = 'value' in result ? splitAtCommas(result.value.slice(1, -1)) : [];
  if (calls.length === 0) return `does not call ${recorder}`;
  if (calls.length > 1) return `calls ${recorder} ${calls.length === 2 ? 'twice' : `${calls.length} times`}`;
  const args = splitAtCommas(calls[0]!.slice(1, -1));
  return args.length === 0 ? `calls ${recorder}` : `calls ${recorder} with ${joinWords(args.map(describeCode))}`;
}

/** The name of the member or the function that a step uses. */
export function readMemberOfStep({ before, imported }: Pick<CaseStep, 'before' | 'imported'>): string | undefined {
  return imported?.name ?? (/\.([\w$]+)/.exec(before) ?? /^([\w$]+)\(/.exec(before))?.[1];
}

/** The code of a step. */
export function stepText({ before, imported, after }: CaseStep, expressionOf: ExpressionOf): string {
  return `${before}${imported ? expressionOf(imported) : ''}${after}`;
}

/**
 * True for a call that returns undefined and whose test asserts only that it does not throw, because its mutants throw.
 */
export function isOnlyRun({ result, mistakesThrow, observed }: Omit<Case, 'given'>): boolean {
  return mistakesThrow === true && observed === undefined && 'value' in result && result.value === 'undefined';
}

/** The result of the call as the verb phrase of a title: `returns 1`, `throws`. */
function describeOutcome(guardedCase: Omit<Case, 'given'>): string {
  const { result } = guardedCase;
  if (isOnlyRun(guardedCase)) return result.promised ? 'does not reject' : 'does not throw';
  return 'value' in result ? `${result.promised ? 'resolves to' : 'returns'} ${describeCode(result.value)}` : 'throws';
}

/** Describes an empty string, array or object in words; returns other code unchanged. */
function describeResult(code: string): string {
  return code === '""'
    ? 'an empty string'
    : code === '[]'
      ? 'an empty array'
      : code === '{}'
        ? 'an empty object'
        : code;
}

/**
 * Describes a value for a title: a long list, object or string by its kind, a text with line breaks as “several lines”.
 */
function describeCode(code: string): string {
  if (code.startsWith('"') && code.includes('\\n')) return 'several lines';
  if (code.length <= MAX_VALUE_LENGTH) return describeResult(code);
  if (code.startsWith('[')) return 'an array';
  if (code.startsWith('{')) return 'an object';
  return code.startsWith('"') ? 'a string' : code;
}

/** Adapts code to a style: strings, written like JSON, get its quotes, and objects get its spaces in braces. */
export function applyStyle(code: string, { quote, spaceInBraces }: Pick<Style, 'quote' | 'spaceInBraces'>): string {
  const codeWithSpacing = spaceInBraces ? code : removeBlanksInObjects(code);
  return codeWithSpacing.replaceAll(STRING_PATTERN, (text) => quoteText(JSON.parse(text) as string, quote));
}

/** Writes `{a: 1}` instead of `{ a: 1 }`. The braces of functions stay unchanged. */
function removeBlanksInObjects(code: string): string {
  let text = '';
  const areObjects: boolean[] = [];
  for (const [part] of code.matchAll(PART_PATTERN)) {
    if (part.startsWith('{')) {
      const isObject = !/[>)]$/.test(text.trimEnd());
      areObjects.push(isObject);
      text += isObject ? '{' : part;
    } else if (part.endsWith('}')) text += areObjects.pop() ? '}' : part;
    else text += part;
  }
  return text;
}

/** Writes a text as a literal in this quote, or in the other one if that needs fewer escapes, as formatters do. */
export function quoteText(text: string, quote: "'" | '"'): string {
  const otherQuote = quote === '"' ? "'" : '"';
  const count = (character: string) => text.split(character).length - 1;
  const bestQuote = count(quote) > count(otherQuote) ? otherQuote : quote;
  const body = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');
  return `${bestQuote}${body.replaceAll(bestQuote, `\\${bestQuote}`)}${bestQuote}`;
}

/**
 * The statement that checks the result of the call, without its semicolon; null if the library has no form for it.
 * `call`: the expression for the call.
 */
export function createResultAssertion(
  guardedCase: Pick<Case, 'result' | 'observed' | 'mistakesThrow'>,
  call: string,
  testStyle: TestStyle,
): string | null {
  const { result, observed } = guardedCase;
  const { style } = testStyle;
  if (isOnlyRun(guardedCase)) return createNoErrorAssertion(applyStyle(call, style), result.promised, testStyle);
  if (observed !== undefined && 'value' in result) {
    const calls = splitAtCommas(result.value.slice(1, -1));
    const countAssertion = calls.every((argumentList) => argumentList === '[]')
      ? createCallCountAssertion(observed, calls.length, testStyle)
      : null;
    if (countAssertion !== null) return countAssertion;
  }
  const calledCode = applyStyle(call, style);
  if ('throws' in result) return createErrorAssertion(calledCode, result, testStyle);
  const subject = result.promised ? `await ${calledCode}` : calledCode;
  const expected = applyStyle(result.value, style);
  const isPrimitive = PRIMITIVE_PATTERN.test(result.value);
  // The value has no prototype. Only `toEqual`, Chai and AVA ignore this.
  if (result.bare && testStyle.assertion === 'expect') return `expect(${subject}).toEqual(${expected})`;
  if (result.bare && !['chai', 'chaiAssert', 'ava'].includes(testStyle.assertion)) return null;
  if (testStyle.assertion === 'expect') {
    const matcher = isPrimitive ? 'toBe' : result.value.includes('undefined') ? 'toStrictEqual' : 'toEqual';
    return `expect(${subject}).${matcher}(${expected})`;
  }
  if (testStyle.assertion === 'uvu') {
    const compare = (isPrimitive ? findUvuFunction('is', testStyle) : null) ?? findUvuFunction('equal', testStyle);
    return compare && `${compare}(${subject}, ${expected})`;
  }
  if (testStyle.assertion === 'chai') return `expect(${subject}).to.${isPrimitive ? '' : 'deep.'}equal(${expected})`;
  // Tests of tape and tap are not written as async functions here, so they cannot await a promise.
  if (result.promised && (testStyle.assertion === 'tape' || testStyle.assertion === 'tap')) return null;
  const [forPrimitive, forOther] = EQUALITY_METHODS[testStyle.assertion];
  const object = testStyle.assertion === 'ava' ? 't' : testStyle.assertName;
  return `${object}.${isPrimitive ? forPrimitive : forOther}(${subject}, ${expected})`;
}

/** The expression for a function of `uvu/assert`; null if the file does not import it. */
function findUvuFunction(
  name: string,
  { assertName, assertNames = [] }: Pick<TestStyle, 'assertName' | 'assertNames'>,
): string | null {
  if (assertName !== '') return `${assertName}.${name}`;
  return assertNames.includes(name) ? name : null;
}

/** The assertion that the call does not throw or reject; null if the library has no form for it. */
function createNoErrorAssertion(call: string, isPromised: boolean, testStyle: TestStyle): string | null {
  const { assertion, assertName, usesArrows } = testStyle;
  const calledFunction = usesArrows ? `() => ${call}` : `function () { ${call}; }`;
  // A step that awaits its call also tests a promise.
  const awaited = /^await (?<promise>.*)$/s.exec(call)?.groups?.['promise'] ?? (isPromised ? call : null);
  switch (assertion) {
    case 'expect':
      return awaited === null
        ? `expect(${calledFunction}).not.toThrow()`
        : `await expect(${awaited}).resolves.not.toThrow()`;
    case 'ava':
      return awaited === null ? `t.notThrows(${calledFunction})` : `await t.notThrowsAsync(${awaited})`;
    case 'strict':
    case 'assert':
      return awaited === null
        ? `${assertName}.doesNotThrow(${calledFunction})`
        : `await ${assertName}.doesNotReject(${awaited})`;
    case 'chai':
      return awaited === null ? `expect(${calledFunction}).to.not.throw()` : null;
    case 'uvu': {
      const notFunction = findUvuFunction('not', testStyle);
      return awaited !== null || notFunction === null ? null : `${notFunction}.throws(${calledFunction})`;
    }
    case 'chaiAssert':
    case 'tape':
    case 'tap':
      return awaited === null ? `${assertName}.doesNotThrow(${calledFunction})` : null;
  }
}

/** The assertion that the call throws this error; null if the library has no short form for it. */
function createErrorAssertion(
  call: string,
  { message, promised }: Extract<CaseResult, { readonly throws: string }>,
  { assertion, assertName, assertNames, style, usesArrows }: TestStyle,
): string | null {
  const text = quoteText(message, style.quote);
  const expectedError = wrapInBraces(`message: ${text}`, style);
  switch (assertion) {
    case 'expect':
      return promised ? `await expect(${call}).rejects.toThrow(${text})` : `expect(() => ${call}).toThrow(${text})`;
    case 'chai':
      return promised ? null : `expect(() => ${call}).to.throw(${text})`;
    case 'chaiAssert':
      return promised ? null : `${assertName}.throws(() => ${call}, ${text})`;
    case 'ava':
      return promised
        ? `await t.throwsAsync(${call}, {message: ${text}})`
        : `t.throws(() => ${call}, {message: ${text}})`;
    case 'uvu': {
      const throwsFunction = findUvuFunction('throws', { assertName, assertNames: assertNames ?? [] });
      // uvu takes a plain text as the message of the assertion, so any error would pass.
      const predicateCode = usesArrows
        ? `(error) => error.message === ${text}`
        : `function (error) { return error.message === ${text}; }`;
      return promised || throwsFunction === null ? null : `${throwsFunction}(() => ${call}, ${predicateCode})`;
    }
    case 'tape':
    case 'tap': {
      const calledFunction = usesArrows ? `() => ${call}` : `function () { ${call}; }`;
      return promised ? null : `${assertName}.throws(${calledFunction}, ${expectedError})`;
    }
    case 'strict':
    case 'assert':
      return promised
        ? `await ${assertName}.rejects(${call}, ${expectedError})`
        : `${assertName}.throws(() => ${call}, ${expectedError})`;
  }
}
