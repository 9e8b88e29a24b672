// Writes calls of Go functions as code.

import type { GoCall, GoSubject, GoValue } from './plan.ts';

/** The spelling of names at the place of the call. */
export interface NameSpelling {
  /** The name of a function of the package, there. */
  of(name: string): string;
  /** The function that turns a value and an error into the value, by the type of the value; undefined = none. */
  must(maker: string): string | undefined;
}

/** A call as code: statements that come before it, and the expression. */
export interface CallCode {
  /** Variables with the values that may fail: their names, and the expressions that make them. */
  readonly before: readonly { readonly variable: string; readonly made: string }[];
  readonly expression: string;
}

/**
 * The code of a call. `variables`: names of the variables for values that may fail; called with an expression, it gives
 * the same name for the same one.
 */
export function callCode(
  { name, receiver: receiverName }: Pick<GoSubject, 'name' | 'receiver'>,
  { receiver, given }: GoCall,
  names: NameSpelling,
  variables: (makingCode: string, hint: string) => string,
): CallCode {
  const before = new Map<string, string>();
  const write = (value: GoValue, hint: string): string => {
    if ('text' in value) return names.of(value.text);
    const makingCode = `${names.of(value.maker)}(${value.given.map((text) => names.of(text)).join(', ')})`;
    if (!value.fails) return makingCode;
    const must = names.must(value.maker);
    if (must !== undefined) return `${names.of(must)}(${makingCode})`;
    const variable = variables(makingCode, hint);
    before.set(variable, makingCode);
    return variable;
  };
  const short = name.slice(name.indexOf('.') + 1);
  const hint = receiverName ?? 'v';
  const callee = receiver ? `${write(receiver, hint)}.${short}` : names.of(short);
  const argumentTexts = given.map((value) => write(value, hint));
  return {
    before: [...before].map(([variable, makingCode]) => ({ variable, made: makingCode })),
    expression: `${callee}(${argumentTexts.join(', ')})`,
  };
}

/** The call in one line, as people read it. */
export function formatShownCall(subject: Pick<GoSubject, 'name' | 'receiver'>, call: GoCall): string {
  const valueText = (value: GoValue): string =>
    'text' in value ? value.text : `${value.maker}(${value.given.join(', ')})`;
  const short = subject.name.slice(subject.name.indexOf('.') + 1);
  const argumentList = call.given.map(valueText).join(', ');
  return `${call.receiver ? `${valueText(call.receiver)}.` : ''}${short}(${argumentList})`;
}
