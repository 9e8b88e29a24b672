// Decides whether a test can record a call: its result must be plain, short and the same every time.

import type { Result, DistinguishingCall } from '../../../core/verify/guard/distinguishingCalls.ts';
import { SHARED_OBJECT, UNFIT_STEP } from './useInSteps.ts';
import type { CallOutcome } from '../messages.ts';

/** Maximum number of characters of a call. Longer ones make a test hard to read. */
const MAX_CALL_LENGTH = 80;
/** Maximum number of characters of a call of a member, which also contains the creation of its object. */
const MAX_MEMBER_LENGTH = 110;
/** Maximum number of characters of the message of an error, and of a result other than an array or an object. */
const MAX_RESULT_LENGTH = 90;
/** Maximum number of characters of an array or an object, which may be written on several lines. */
const MAX_STRUCTURE_LENGTH = 260;
/** Matches texts of printable ASCII signs and Latin letters, which are easy to read and to type. */
const READABLE_PATTERN = /^[\x20-\x7e\u00c0-\u00ff]*$/;
/** Matches functions, abort signals, symbols, `NaN` and `-0`, which make a test hard to read or to write. */
const HARD_TO_READ_PATTERN = /=>|function\*|AbortController|AbortSignal|Symbol\.|NaN|-0\b/;
/** Matches a text that shows a defect rather than a result: a value was converted to a string by mistake. */
const DEFECT_PATTERN = /\[object [A-Z]\w*\]|\bundefined\b|\bNaN\b/;
/**
 * Maximum number of signs in a text that has more than twice as many signs as other characters. A text with more of
 * them, such as the source of a regular expression, says little to a reader.
 */
const MAX_SIGNS = 8;
/** Matches a string literal. */
const STRING_PATTERN = /"(?:[^"\\]|\\.)*"/g;
/**
 * Matches the outcome of an error that the code created, with its class and message. Outcomes with the engine's errors
 * have no message.
 */
const CODE_ERROR_PATTERN = /^(throws|rejects with) ([A-Z]\w*): ([^\n]+)$/;

/**
 * The result as a test can record it. `unfit`: this call cannot be recorded, with the reason as a sentence if a person
 * should know it, otherwise true. `inconclusive`: no call of this function can be recorded, with the reason as a
 * sentence. `functionTexts`: the texts of functions in the tests, which readers already know.
 */
export function selectRecordableResult(
  { first, second, expression: exact, bare, threw, drained, effect }: CallOutcome,
  { call, steps, around }: Pick<DistinguishingCall, 'call' | 'steps' | 'around'>,
  functionTexts: readonly string[] = [],
): { readonly result: Result } | { readonly inconclusive: string } | { readonly unfit: true | string } {
  if (effect !== null) return { inconclusive: `It asks for ${effect}.` };
  if (first.callLog.includes(SHARED_OBJECT) || second.callLog.includes(SHARED_OBJECT))
    return { inconclusive: 'What makes the object gives the same one again.' };
  if (first.result !== second.result || first.arguments !== second.arguments)
    return { inconclusive: 'Its results depend on earlier calls.' };
  if (drained) return { inconclusive: 'It gives an iterator.' };
  if (containsWorkingFolder(first.result)) return { inconclusive: 'Its results depend on where the repository lies.' };
  const unfit = { unfit: true } as const;
  if (first.callLog.includes(UNFIT_STEP)) return unfit;
  if (first.callLog.length > 0) return { unfit: 'It prints, waits or calls what it is given.' };
  const callWithoutFunctions = removeFunctions(call, functionTexts);
  if (
    !isVisibleInResult(first.arguments, exact ?? bare) ||
    (steps === undefined && call.length > (around ? MAX_MEMBER_LENGTH : MAX_CALL_LENGTH)) ||
    !READABLE_PATTERN.test(call) ||
    HARD_TO_READ_PATTERN.test(callWithoutFunctions) ||
    mayContainPattern(callWithoutFunctions)
  )
    return unfit;
  if (threw) {
    const [, outcomeVerb = '', name = '', message = ''] = CODE_ERROR_PATTERN.exec(first.result) ?? [];
    // Messages of the engine differ between versions, so they are not part of outcomes.
    return message === '' || message.length > MAX_RESULT_LENGTH || !READABLE_PATTERN.test(message)
      ? unfit
      : { result: { throws: name, message, promised: outcomeVerb !== 'throws' } };
  }
  const expression = exact ?? bare;
  const isStructure = /^[[{]/.test(expression ?? '');
  if (expression === null || expression.length > (isStructure ? MAX_STRUCTURE_LENGTH : MAX_RESULT_LENGTH)) return unfit;
  if (!READABLE_PATTERN.test(expression) || HARD_TO_READ_PATTERN.test(expression) || mayContainPattern(expression))
    return unfit;
  if (showsDefect(expression, call) || isMostlySigns(expression)) return unfit;
  // Results that tests read from an object rarely have undefined members, which reflect how the object works inside.
  if (steps !== undefined && isStructure && /\bundefined\b/.test(expression.replaceAll(STRING_PATTERN, '')))
    return unfit;
  const isPromised = first.result.startsWith('resolves');
  return { result: { value: expression, promised: isPromised, ...(exact === null && { bare: true }) } };
}

/**
 * True if no argument was changed, or if the changed argument is also the result, so that a test of the result shows
 * the change.
 */
function isVisibleInResult(changes: string, result: string | null): boolean {
  return changes === '' || changes.replace(/^argument \d+ is then /, '') === result;
}

/** True if a text in the result shows a defect, unless the call passes such a text. */
function showsDefect(expression: string, call: string): boolean {
  const shownDefects = (expression.match(STRING_PATTERN) ?? []).flatMap((text) => DEFECT_PATTERN.exec(text)?.[0] ?? []);
  return shownDefects.some((shownText) => !(call.match(STRING_PATTERN) ?? []).some((text) => text.includes(shownText)));
}

/** True for a text of many signs and few other characters. */
function isMostlySigns(expression: string): boolean {
  if (!expression.startsWith('"')) return false;
  const signs = expression.replaceAll('\\\\', '\\').replaceAll(/[\w\s]/g, '').length - 2;
  return signs > MAX_SIGNS && signs > 2 * (expression.length - signs);
}

/** The call, in which `f` replaces each of these functions. */
function removeFunctions(call: string, functions: readonly string[]): string {
  return functions.reduce((text, fn) => text.replaceAll(fn, 'f'), call);
}

/**
 * True for code with a `/` outside of its strings, which may be a regular expression. Its quotes would be read as the
 * quotes of a string.
 */
function mayContainPattern(code: string): boolean {
  return code.replaceAll(STRING_PATTERN, '').includes('/');
}

/** True if the text contains the path of the folder in which the code runs, as it is or escaped. */
function containsWorkingFolder(text: string): boolean {
  const folder = process.cwd();
  return folder.length > 1 && [folder, JSON.stringify(folder).slice(1, -1)].some((path) => text.includes(path));
}
