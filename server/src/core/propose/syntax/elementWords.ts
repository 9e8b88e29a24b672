// Lists words for names of elements: irregular plurals, words that only look like plurals, and words that cannot be
// names.

import { createWordSet } from '../../../util/wordSet.ts';

/** Singulars by their plurals, for plurals that the rules in `elementName.ts` would treat wrongly. */
export const IRREGULAR_SINGULARS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ids: 'id',
    children: 'child',
    people: 'person',
    indices: 'index',
    vertices: 'vertex',
    matrices: 'matrix',
    men: 'man',
    women: 'woman',
    feet: 'foot',
    data: 'datum',
    aliases: 'alias',
    statuses: 'status',
    buses: 'bus',
    axes: 'axis',
    bases: 'base',
    caches: 'cache',
    moves: 'move',
  }),
);
/** Words that end like plurals but are singulars, or whose singulars are unsuitable as names. */
export const SINGULARS_IN_S: ReadonlySet<string> = createWordSet(`
this args params props series species news status address process class canvas bus alias has is as was its bytes
classes cases defaults always focus radius analysis basis axis diagnosis
`);
/** Words that cannot, or should not, be the name of a variable. */
export const RESERVED_WORDS: ReadonlySet<string> = createWordSet(`
class case default new function import export package interface enum type var let const for if do in of return
switch this throw try void while with yield arguments eval static public private protected extends super delete
null true false undefined
`);
