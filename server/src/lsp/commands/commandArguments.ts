// Reads the fields of the object that a client sends as the argument of a command.

import { SelfwareError } from '../../util/typedError.ts';

/** True for an object that is neither null nor a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** The first argument of a command; empty if there is none. Throws `usage` if it is not an object. */
export function requireArgument(args: readonly unknown[] | undefined): Record<string, unknown> {
  const [firstArgument] = Array.isArray(args) ? args : [];
  // Clients written in Lua (Neovim) send an empty table as an empty list.
  if (
    firstArgument === undefined ||
    firstArgument === null ||
    (Array.isArray(firstArgument) && firstArgument.length === 0)
  )
    return {};
  if (!isObject(firstArgument)) throw new SelfwareError('usage', 'The argument of this command must be an object.');
  return firstArgument;
}

/** A field of the first argument; undefined if it is missing. Throws `usage` if it is not a text or is empty. */
export function readOptionalText(args: readonly unknown[] | undefined, name: string): string | undefined {
  const value = requireArgument(args)[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' || value === '') throw new SelfwareError('usage', `${name} is a text.`);
  return value;
}

/** A field of the first argument. Throws `usage` if it is missing, not a text, or empty. */
export function readTextField(args: readonly unknown[] | undefined, name: string): string {
  const text = readOptionalText(args, name);
  if (text === undefined) throw new SelfwareError('usage', `${name} is a text.`);
  return text;
}

/** A field of the first argument; false if it is missing. Throws `usage` if it is neither true nor false. */
export function readFlagField(args: readonly unknown[] | undefined, name: string): boolean {
  return readOptionalFlag(args, name) ?? false;
}

/** A field of the first argument; undefined if it is missing. Throws `usage` if it is neither true nor false. */
export function readOptionalFlag(args: readonly unknown[] | undefined, name: string): boolean | undefined {
  const value = requireArgument(args)[name] ?? undefined;
  if (value !== undefined && typeof value !== 'boolean') throw new SelfwareError('usage', `${name} is true or false.`);
  return value;
}

/** A field of the first argument; undefined if it is missing or empty. Throws `usage` if it is not a list of texts. */
export function readOptionalTexts(args: readonly unknown[] | undefined, name: string): readonly string[] | undefined {
  const value = requireArgument(args)[name];
  if (value === undefined || value === null) return undefined;
  if (
    !Array.isArray(value) ||
    !value.every((element): element is string => typeof element === 'string' && element !== '')
  )
    throw new SelfwareError('usage', `${name} must be a list of texts.`);
  return value.length === 0 ? undefined : value;
}
