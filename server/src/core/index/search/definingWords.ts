// Words that tell whether something is defined where they stand, in any language. Plain data.

import { wordsOf } from '../../../util/wordsOf.ts';

/** Words that are followed by the name of what they define. */
export const DEFINERS: ReadonlySet<string> = wordsOf(`
function class interface type enum struct trait impl def defp defmodule defmacro defprotocol fn func fun proc
sub method module namespace object protocol record macro union typedef mixin extension contract message service
library macro_rules define
`);

/** The same, but most of what they define is local: they count only at the beginning of a line. */
export const HOLDERS = wordsOf('const let var val static mut local');

/** Words that stand before a call, where a type would stand before the name of a function. */
export const CALLERS: ReadonlySet<string> = wordsOf(`
return new await throw yield else case typeof delete not and or in of is do if unless when while until raise
assert go defer echo print require the a to see by with from call calls for
`);
