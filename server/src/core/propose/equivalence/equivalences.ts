// Lists all equivalences, on which every proof is based.

import { comparedToBoolean, doubleNegation, negatedComparison, regrouped, ternaryOfBooleans } from './conditions.ts';
import { asConst } from './constants.ts';
import { withoutCopy, withoutSpread } from './copies.ts';
import { elseIfs, mergedIfs, returnedCondition, withoutEmptySide } from './ifs.ts';
import { withoutNodeImport } from './imports.ts';
import { withoutCatch, withoutJump, withoutTry } from './jumps.ts';
import { provesForOf } from './loops.ts';
import { withOptionalChain, withNullishDefault } from './nullish.ts';
import { withoutPromiseResolve } from './promises.ts';
import { asTemplate } from './templates.ts';
import { withoutUnreachable } from './unreachable.ts';
import type { ListEquivalence, NodeEquivalence } from './equivalence.ts';

/** Equivalences of single nodes, in the order in which they are tried. */
export const nodeEquivalences: readonly NodeEquivalence[] = [
  mergedIfs,
  elseIfs,
  withoutEmptySide,
  withoutCatch,
  regrouped,
  doubleNegation,
  negatedComparison,
  ternaryOfBooleans,
  comparedToBoolean,
  asConst,
  withoutPromiseResolve,
  withoutCopy,
  withoutSpread,
  provesForOf,
  asTemplate,
  withOptionalChain,
  withNullishDefault,
];
/** Equivalences of the beginnings of lists of statements, in the order in which they are tried. */
export const listEquivalences: readonly ListEquivalence[] = [
  returnedCondition,
  withoutTry,
  withoutJump,
  withoutUnreachable,
  withoutNodeImport,
];
