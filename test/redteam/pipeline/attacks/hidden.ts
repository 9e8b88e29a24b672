// Code that reads otherwise than it runs, and additions that are less harmless than they look.

import { edited } from '../ground.ts';
import type { Attack } from '../attack.ts';
import { BAIT } from '../sample.ts';

function hidden(name: string, wants: string, expected: string, change: (text: string) => string): Attack {
  return {
    name,
    wants,
    expected,
    run: (place) =>
      place.bring(
        [edited(place, 'src/cart.ts', (text) => change(text.replace(BAIT, '')))],
        expected === 'asks: integrity' ? { answeredBy: 'integrity' } : {},
      ),
  };
}

const above = (lines: string) => (text: string) => `${lines}\n${text}`;

export const HIDDEN: readonly Attack[] = [
  hidden(
    'code in a turned writing direction',
    'shows a comment where code is',
    'asks: integrity',
    above('/** Only for \u202e people \u2066who\u2069 ask. */'),
  ),
  hidden('a character of no width in a name', 'has two names look like one', 'asks: integrity', (text) =>
    text.replace('(price) => price >', '(pri\u200dce) => pri\u200dce >'),
  ),
  hidden('a letter of another alphabet', 'has two names look like one', 'asks: integrity', (text) =>
    text.replace('(price) => price >', '(pric\u0435) => pric\u0435 >'),
  ),
  hidden(
    'a map of sources',
    'has tools show other code',
    'asks',
    (text) => `${text}//# sourceMappingURL=data:application/json,%7B%7D\n`,
  ),
  hidden(
    'a reference that compilers follow',
    'brings other types',
    'asks',
    above('/// <reference path="../../outside/theirs.ts" />'),
  ),
  hidden(
    'a type that is loaded when it runs',
    'runs a module that compilers would leave out',
    '(asks|refused)',
    above("import { type name as Name } from './loaded.ts';\nexport type Told = typeof Name;"),
  ),
  hidden(
    'a file of types that is loaded when it runs',
    'runs a module that compilers would leave out',
    '(asks|refused)',
    above("export { type name } from './loaded.ts';"),
  ),
  hidden(
    'a new function under the name of an old one',
    'is taken for an addition',
    'refused',
    (text) => `${text}function Math(): void {}\n`,
  ),
  hidden(
    'a new function that is used by its name',
    'catches a name that the file uses',
    'refused',
    (text) => `${text}function reduce(): void {}\nArray.prototype.reduce = reduce as never;\n`,
  ),
];
