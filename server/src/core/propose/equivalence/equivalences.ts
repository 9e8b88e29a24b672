// Lists all equivalences: pairs of forms that behave alike, such as `!!a` and `a` in a condition. Every proof of a
// refactoring is a combination of them. To add one, write it in the file of its subject and list it here.

import { booleanComparison, doubleNegation, negatedComparison, associativity, booleanTernary } from './conditions.ts';
import { unassignedLet } from './constants.ts';
import { needlessCopy, needlessSpread } from './copies.ts';
import { ifInElse, nestedIf, returnOfBooleans, emptyBranch } from './ifs.ts';
import { unusedNodeImport } from './unusedNodeImport.ts';
import { rethrowingCatch, needlessJump, rethrowingTry } from './jumps.ts';
import { indexLoop } from './loops.ts';
import { nullGuard, nullDefault } from './nullish.ts';
import { awaitedPromiseResolve } from './promises.ts';
import { concatenation } from './templates.ts';
import { unreachableCode } from './unreachable.ts';
import type { ListEquivalence, NodeEquivalence } from './equivalence.ts';

/** Equivalences of single nodes. One that holds is sufficient, so their order affects only the speed. */
export const nodeEquivalences: readonly NodeEquivalence[] = [
  nestedIf,
  ifInElse,
  emptyBranch,
  rethrowingCatch,
  associativity,
  doubleNegation,
  negatedComparison,
  booleanTernary,
  booleanComparison,
  unassignedLet,
  awaitedPromiseResolve,
  needlessCopy,
  needlessSpread,
  indexLoop,
  concatenation,
  nullGuard,
  nullDefault,
];
/** Equivalences of statements at the start of two lists. The first one that holds is used. */
export const listEquivalences: readonly ListEquivalence[] = [
  returnOfBooleans,
  rethrowingTry,
  needlessJump,
  unreachableCode,
  unusedNodeImport,
];
