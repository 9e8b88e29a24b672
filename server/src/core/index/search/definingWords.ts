// Lists the words that show, in any programming language, whether the name after them is defined there or only used.

import { createWordSet } from '../../../util/wordSet.ts';

/** Words before a defined name. */
export const DEFINING_WORDS: ReadonlySet<string> = createWordSet(`
function class interface type enum struct trait impl def defp defmodule defmacro defprotocol fn func fun proc
sub method module namespace object protocol record macro union typedef mixin extension contract message service
library macro_rules define
`);

/** Words before a defined name whose definitions are mostly local. They count only at the beginning of a line. */
export const LOCAL_DEFINING_WORDS = createWordSet('const let var val static mut local');

/** Words that precede a call, in the position in which a definition has its type. */
export const CALL_WORDS: ReadonlySet<string> = createWordSet(`
return new await throw yield else case typeof delete not and or in of is do if unless when while until raise
assert go defer echo print require the a to see by with from call calls for
`);
