// Files that do something when they are loaded are recognised, so that no import of them is added unnoticed.

import { expect, test } from 'vitest';
import { loadsWithoutSideEffects } from '../../../server/src/core/propose/exports/sideEffects.ts';
import { parseSource } from '../../../server/src/core/propose/syntax/parse.ts';

const isQuiet = (text: string) => loadsWithoutSideEffects(parseSource('file.ts', text)!);

test.each([
  'export class Cart extends Base { total = 0; sum() { return add(1); } }',
  'export enum Size { Small = 1, Large = Small << 1 }',
  'export const limit = 3;\nexport function start() { return run(); }',
  'export class Cart<T> extends Base<T> implements Sized { [name]() {} }',
])('%s only declares', (text) => expect(isQuiet(text)).toBe(true));

test.each([
  'export class Cart extends mixin(Base) {}',
  'export enum Size { Small = measure() }',
  'export class Cart { [register("cart")]() {} }',
  'export class Cart { @logged sum() {} }',
  'export class Cart { static { register(); } }',
])('%s does more', (text) => expect(isQuiet(text)).toBe(false));
