// Writes calls of Go functions as code.

import type { GoCall, GoSubject, GoValue } from './plan.ts';

/** The spelling of names in the file that contains the call. */
export interface NameSpelling {
  /** The name of a function of the package, as the file spells it. */
  of(name: string): string;
  /**
   * The function that turns a value and an error into the value, by the function that makes these; undefined if there
   * is none.
   */
  must(maker: string): string | undefined;
}

/** A call as code: the statements before it, and the expression. */
export interface CallCode {
  /** Variables for values whose creation may fail: their names, and the expressions that create them. */
  readonly before: readonly { readonly variable: string; readonly made: string }[];
  readonly expression: string;
}

/**
 * Creates the code of a call. `variables`: returns the name of the variable for an expression whose creation may fail;
 * the same expression gets the same name.
 */
export function createCallCode(
  { name, receiver: receiverName }: Pick<GoSubject, 'name' | 'receiver'>,
  { receiver, given }: GoCall,
  names: NameSpelling,
  variables: (makingCode: string, hint: string) => string,
): CallCode {
  const before = new Map<string, string>();
  const writeValue = (value: GoValue, hint: string): string => {
    if ('text' in value) return names.of(value.text);
    const makingCode = `${names.of(value.maker)}(${value.given.map((text) => names.of(text)).join(', ')})`;
    if (!value.fails) return makingCode;
    const mustFunction = names.must(value.maker);
    if (mustFunction !== undefined) return `${names.of(mustFunction)}(${makingCode})`;
    const variable = variables(makingCode, hint);
    before.set(variable, makingCode);
    return variable;
  };
  const shortName = name.slice(name.indexOf('.') + 1);
  const hint = receiverName ?? 'v';
  const callee = receiver ? `${writeValue(receiver, hint)}.${shortName}` : names.of(shortName);
  const argumentTexts = given.map((value) => writeValue(value, hint));
  return {
    before: [...before].map(([variable, makingCode]) => ({ variable, made: makingCode })),
    expression: `${callee}(${argumentTexts.join(', ')})`,
  };
}

/** The call on one line, as a person reads it. */
export function formatShownCall(subject: Pick<GoSubject, 'name' | 'receiver'>, call: GoCall): string {
  const formatValue = (value: GoValue): string =>
    'text' in value ? value.text : `${value.maker}(${value.given.join(', ')})`;
  const shortName = subject.name.slice(subject.name.indexOf('.') + 1);
  const argumentList = call.given.map(formatValue).join(', ');
  return `${call.receiver ? `${formatValue(call.receiver)}.` : ''}${shortName}(${argumentList})`;
}
